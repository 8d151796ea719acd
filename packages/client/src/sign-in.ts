import type { auth as contract } from '@servicekit/contract'
import type { Route } from '@servicekit/contract/routes'
import type { isHttpUrl } from './is-http-url.ts'
import type { browser, BrowserStorage } from './browser.ts'
import type { CallOptions, Core } from './core.ts'
import type { ServicekitError } from './errors.ts'
import type { operate, pick, wrongShape } from './operate.ts'

/*
 * Loaded on sign-in. Imports only types, so that bundlers do not create a third chunk of
 * shared modules.
 */

/** Dependencies passed in by auth.ts. */
export interface SignInTools {
  readonly operate: typeof operate
  readonly pick: typeof pick
  readonly isHttpUrl: typeof isHttpUrl
  readonly wrongShape: typeof wrongShape
  readonly ServicekitError: typeof ServicekitError
}

type Options = CallOptions & { readonly store?: BrowserStorage | undefined }

const stateName = 'servicekit.state'
const pageStore = (): BrowserStorage | undefined =>
  (globalThis as unknown as typeof browser).window?.sessionStorage

/** Implements `startSignIn` of auth.ts. */
export async function start(
  { operate, pick, isHttpUrl, wrongShape }: SignInTools,
  core: Core,
  route: Route,
  options: Options & { readonly clientId: string; readonly redirectUri: string },
): Promise<{ readonly url: string; readonly state: string | undefined; readonly raw: unknown }> {
  const { clientId, redirectUri, store = pageStore(), ...call } = options
  const intent = 'start the sign-in'
  const query = { 'x-service-key': core.projectKey, clientId, redirectUri }
  const raw = await operate(core, route, { ...call, query, intent })
  const url = pick(raw, 'redirect_uri', 'authorizationUrl', 'url')
  // A page that navigates to a `javascript:` URL runs it.
  if (!isHttpUrl(url)) throw wrongShape(core, route, intent, 'a URL')
  const state = new URL(url).searchParams.get('state') ?? undefined
  // Saved even if empty: it distinguishes a user who started here from one sent by an
  // attacker.
  store?.setItem(stateName, state ?? '')
  return { url, state, raw }
}

/** Implements `completeSignIn` of auth.ts. */
export async function complete(
  { operate, isHttpUrl, ServicekitError }: SignInTools,
  core: Core,
  route: Route,
  address: string,
  { store = pageStore(), ...call }: Options,
): Promise<contract.SignedIn> {
  const intent = 'complete the sign-in'
  const { code, state, error } = Object.fromEntries(
    isHttpUrl(address) ? new URL(address).searchParams : [],
  )
  const expected = store?.getItem(stateName)
  store?.removeItem(stateName)
  if (!code || !state || ((expected ?? store) && expected !== state)) {
    const reason = error ?? (code ? 'unknown state' : 'no code')
    throw new ServicekitError(`Cannot ${intent}: ${reason}`, { code: 'SIGN_IN_REFUSED' })
  }
  return operate(core, route, {
    ...call,
    query: { code, state },
    intent,
    secrets: [code, state],
  })
}
