import { rejectOnAbort } from '@servicekit/core'
import type { auth as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import { isHttpUrl } from './is-http-url.ts'
import type { BrowserStorage } from './browser.ts'
import type { CallOptions, Core } from './core.ts'
import { type RequestError, ServicekitError } from './errors.ts'
import { operate, pick, wrongShape } from './operate.ts'
import type { SignInTools } from './sign-in.ts'

export { createSession, type Session, type SessionOptions, withSession } from './session.ts'
export { logout, refresh } from './session-requests.ts'
export type { TabMessage, Tabs } from './tabs.ts'
/** Session as the service returns it; the fields are those of section 4.1. */
export type SessionRecord = contract.Session
/** Input for enabling an invited account (section 4.1). */
export type Activation = Readonly<contract.ActivateAccount>

/**
 * Storage for the sign-in state until the callback. The default is the page's
 * `sessionStorage`.
 *
 * A server has no default: pass one store per browser, for example backed by a cookie.
 * Without a store the state is not compared.
 */
export type StateStore = BrowserStorage

/**
 * Starts a sign-in and returns the URL to navigate to. The state in the URL is saved in
 * `store` and compared by {@link completeSignIn}.
 *
 * ```ts
 * location.assign((await startSignIn(core, { clientId, redirectUri })).url)
 * ```
 *
 * @throws RequestError 400 for an unregistered client or redirect URL.
 * @throws `SecurityError` from the storage if the browser blocks storage and cookies.
 * @see section 4.1
 */
export async function startSignIn(
  core: Core,
  options: CallOptions & {
    readonly clientId: string
    /** Must match the registered URL exactly. */
    readonly redirectUri: string
    readonly store?: StateStore | undefined
  },
): Promise<{ readonly url: string; readonly state: string | undefined; readonly raw: unknown }> {
  const { start } = await import('./sign-in.ts')
  return start(tools, core, routes.authInitiate, options)
}

/**
 * Completes a sign-in. Call it on the page that the browser was redirected to. Afterwards
 * the session is in cookies. Calls with the same URL share one request, so that it may be
 * called twice by React's StrictMode; after a reload it resolves if there is a session.
 *
 * @param address URL of that page: `location.href`, or on a server its path and query.
 * @throws ServicekitError `SIGN_IN_REFUSED` if the URL has an error, no code, or a state
 *   that {@link startSignIn} did not save: from another tab or a forged callback. The
 *   description of the error is in the details as `message`.
 * @throws RequestError 400 for a used or expired state or code.
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

/**
 * Returns the session of the browser, or undefined if there is none or it has ended.
 *
 * @throws RequestError for any failure other than 401 and 404.
 * @see section 4.1
 */
export async function getSession(
  core: Core,
  call: CallOptions = {},
): Promise<SessionRecord | undefined> {
  try {
    return await operate(core, routes.authGetSession, { ...call, intent: 'read the session' })
  } catch (error) {
    // The service responds with 404 for a revoked session.
    const { status } = error as RequestError
    if (status !== 401 && status !== 404) throw error
    return undefined
  }
}

const tools: SignInTools = {
  operate,
  pick,
  getSession,
  isHttpUrl,
  rejectOnAbort,
  wrongShape,
  ServicekitError,
}

/**
 * Enables an invited account and sets its password.
 *
 * @throws RequestError, OperationError if the code is wrong, used or expired.
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
