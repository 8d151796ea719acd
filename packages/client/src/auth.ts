import type { auth as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import { isAddress } from './address.ts'
import type { BrowserStorage } from './browser.ts'
import type { CallOptions, Core } from './core.ts'
import { type RequestError, ServicekitError } from './errors.ts'
import { operate, pick, wrongShape } from './shapes.ts'
import type { SignInTools } from './sign-in.ts'

export { createSession, type Session, type SessionOptions, withSession } from './session.ts'
export { logout, refresh } from './session-requests.ts'
export type { TabMessage, Tabs } from './tabs.ts'
/** A session as the service describes it; its fields are those of section 4.1. */
export type SessionRecord = contract.Session
/** What an invited account is enabled with (section 4.1). */
export type Activation = Readonly<contract.ActivateAccount>

/**
 * Where a sign-in keeps its state until the callback: `sessionStorage` of a page by default. A
 * server has none; what it signs somebody in with needs a store for each browser, made of
 * a cookie for instance, since without one the state is not compared.
 */
export type StateStore = BrowserStorage

/**
 * Starts a sign-in. Navigate to `url`; the state in it is remembered in `store`
 * and compared by {@link completeSignIn}.
 *
 * ```ts
 * location.assign((await startSignIn(core, { clientId, redirectUri })).url)
 * ```
 *
 * @throws RequestError 400 for a client or redirect address that is not registered.
 * @throws what the storage throws: `SecurityError` where the browser blocks it, and cookies
 *   with it.
 * @see section 4.1
 */
export async function startSignIn(
  core: Core,
  options: CallOptions & {
    readonly clientId: string
    /** Exactly as registered. */
    readonly redirectUri: string
    readonly store?: StateStore | undefined
  },
): Promise<{ readonly url: string; readonly state: string | undefined; readonly raw: unknown }> {
  const { start } = await import('./sign-in.ts')
  return start(tools, core, routes.authInitiate, options)
}

/**
 * Ends a sign-in, on the page that the browser was led back to. From then on the
 * session is in cookies.
 *
 * @param address Of that page: `location.href`.
 * @throws ServicekitError `SIGN_IN_REFUSED` where the address brings an error, no
 *   code, or a state that {@link startSignIn} did not remember: of another tab, of a page
 *   that was loaded again, or of somebody who wants to be taken for you.
 * @throws RequestError 400 for a state or code that is used or too old.
 * @see section 4.1
 */
export async function completeSignIn(
  core: Core,
  address: string,
  call: CallOptions & { readonly store?: StateStore | undefined } = {},
): Promise<contract.SignedIn> {
  const { complete } = await import('./sign-in.ts')
  return complete(tools, core, routes.authCallback, address, call)
}

const tools: SignInTools = { operate, pick, isAddress, wrongShape, ServicekitError }

/**
 * Session of the browser; undefined where there is none, or none any more.
 *
 * @throws RequestError for any other failure than 401 and 404.
 * @see section 4.1
 */
export async function getSession(
  core: Core,
  call: CallOptions = {},
): Promise<SessionRecord | undefined> {
  try {
    return await operate(core, routes.authGetSession, { ...call, intent: 'read the session' })
  } catch (error) {
    // A session that was revoked is answered with 404, and no less over.
    if (!/40[14]/.test(`${(error as RequestError).status}`)) throw error
    return undefined
  }
}

/**
 * Enables an invited account and sets its password.
 *
 * @throws RequestError, OperationError where the code is wrong, used or too old.
 * @see section 4.1
 */
export async function activate(
  core: Core,
  json: Activation,
  call: CallOptions = {},
): Promise<contract.AccountActivated> {
  const body = await operate(core, routes.authActivate, {
    ...call,
    json,
    intent: 'activate the account',
    secrets: [json.code, json.password],
  })
  return body as contract.AccountActivated
}
