/**
 * Server-only functions: client credentials, cookie forwarding and files on disk. A browser
 * build that imports this module fails, because the package does not export it under the
 * condition `browser`.
 */
import { bindClient, type Client } from './client.ts'
import { type Core, createCore } from './core.ts'
import type { ClientOptions } from './options.ts'
import { tokenSource, withToken, type TokenOptions } from './token.ts'

export { forwardCookies, type ForwardedCookies } from './forward-cookies.ts'
export { tokenSource, type TokenOptions, type TokenSource, withToken } from './token.ts'
export { downloadToFile, uploadFile } from './files.ts'

/** Options of a client, with machine credentials. */
export interface ServerClientOptions extends ClientOptions {
  /** Machine credentials. Read the secret from the environment, never put it in code. */
  readonly credentials: TokenOptions
}

/**
 * Creates a client that sends a machine token with every request. The token is fetched on
 * demand, shared by all calls and renewed before it expires.
 *
 * ```ts
 * const client = createServerClient({
 *   baseUrl, projectKey, credentials: { clientId, clientSecret: process.env.CLIENT_SECRET },
 * })
 * ```
 *
 * @throws ConfigError for invalid options.
 * @see section 5, rule 3
 */
export function createServerClient({ credentials, ...options }: ServerClientOptions): Client {
  const core: Core = createCore(options)
  return bindClient(withToken(core, tokenSource(core, credentials)))
}
