import type { LanguageOptions, Web } from './server.js'

/**
 * Creates the middleware for Express and for servers of `node:http`. It sets
 * `request.language`, removes the language from `request.url`, and runs `next` in the
 * language.
 */
export function languageMiddleware(
  options?: LanguageOptions,
): (request: any, response: any, next: (error?: any) => void) => Promise<void>
