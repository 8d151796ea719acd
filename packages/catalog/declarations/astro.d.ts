import type { LanguageOptions, Web } from './server.js'

/** Middleware with the default strategies: `export { onRequest } from '~uilm/astro'`. */
export const onRequest: ReturnType<typeof createOnRequest>
/** Creates the middleware. Pages have the language in `Astro.locals.language`. */
export function createOnRequest(
  options?: LanguageOptions,
): (context: any, next: (path?: any) => Promise<Web<'Response'>>) => Promise<Web<'Response'>>
