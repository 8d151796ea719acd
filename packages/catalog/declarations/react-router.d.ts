import type { LanguageOptions, Web } from './server.js'

/** Creates a middleware of the root route: `export const middleware = [createMiddleware()]`. */
export function createMiddleware(
  options?: LanguageOptions,
): (
  input: { readonly request: Web<'Request'> },
  next: () => Promise<any>,
) => Promise<Web<'Response'>>
