import type { LanguageOptions, Web } from './server.js'

/** Creates a middleware: `export default [createMiddleware()]`. */
export function createMiddleware(
  options?: LanguageOptions,
): (event: any, next: () => any) => Promise<any>
