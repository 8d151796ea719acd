import type { auth as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { operate } from './operate.ts'

/**
 * Renews the session with one request. {@link createSession} calls it on demand, once for all
 * calls and tabs.
 *
 * @throws RequestError 400 or 423 if the session cannot be renewed.
 * @see section 4.1
 */
export async function refresh(
  core: Core,
  { clientId, ...call }: CallOptions & { readonly clientId: string },
): Promise<contract.Token> {
  const form = { grant_type: 'refresh_token', client_id: clientId }
  return operate(core, routes.authIssueToken, { ...call, form, intent: 'renew the session' })
}

/**
 * Ends the session on the server. {@link Session.signOut} also notifies other tabs.
 *
 * @throws RequestError 400 if the session has already ended.
 * @see section 4.1
 */
export async function logout(core: Core, call: CallOptions = {}): Promise<void> {
  await operate(core, routes.authLogout, { ...call, json: {}, intent: 'sign out' })
}
