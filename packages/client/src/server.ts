/**
 * What only servers may have: client credentials, and cookies that are passed on
 * for one request. A build for browsers that imports this fails, since the
 * package does not export it under the condition `browser`.
 */
import { bindClient, type Client } from './client.ts'
import { type Core, createCore } from './core.ts'
import type { ClientOptions } from './options.ts'
import { tokenSource, withToken, type TokenOptions } from './token.ts'

export { forwardCookies, type ForwardedCookies } from './cookies.ts'
export { tokenSource, type TokenOptions, type TokenSource, withToken } from './token.ts'
export { downloadToFile, uploadFile } from './files.ts'

/** Options of a client, and the credentials of the machine. */
export interface ServerClientOptions extends ClientOptions {
  /** Of the machine; the secret comes from the environment, never from code. */
  readonly credentials: TokenOptions
}

/**
 * Makes a client that sends a machine's token with every request. The token is
 * asked for when it is needed, shared by all calls, and renewed before it ends.
 *
 * ```ts
 * const client = createServerClient({
 *   baseUrl, projectKey, credentials: { clientId, clientSecret: process.env.CLIENT_SECRET },
 * })
 * ```
 *
 * @throws ConfigError for options that cannot be used.
 * @see section 5, rule 3
 */
export function createServerClient({ credentials, ...options }: ServerClientOptions): Client {
  const core: Core = createCore(options)
  return bindClient(withToken(core, tokenSource(core, credentials)))
}
