import type { LanguageOptions, Web } from './server.js'

/** Creates the middleware. Handlers read the language with `context.get('language')`. */
export function languageMiddleware(
  options?: LanguageOptions,
): (context: any, next: () => Promise<void>) => Promise<Web<'Response'> | undefined>
/** Returns the option `getPath` of `new Hono`, so that routes need no language. */
export function createGetPath(options: LanguageOptions): (request: Web<'Request'>) => string
