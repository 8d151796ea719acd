import type { auth as contract } from '@servicekit/contract'
import type { Route } from '@servicekit/contract/routes'
import type { rejectOnAbort } from '@servicekit/core'
import type { getSession } from './auth.ts'
import type { isHttpUrl } from './is-http-url.ts'
import type { browser, BrowserStorage } from './browser.ts'
import type { CallOptions, Core } from './core.ts'
import type { ServicekitError } from './errors.ts'
import type { operate, pick, wrongShape } from './operate.ts'

/*
 * Loaded on the two pages of a sign-in, which is a ninth of what a page with a session would load.
 * Imports only types, so that bundlers do not create a third chunk of shared modules.
 */

/** Dependencies passed in by auth.ts. */
export interface SignInTools {
  readonly operate: typeof operate
  readonly pick: typeof pick
  readonly isHttpUrl: typeof isHttpUrl
  readonly wrongShape: typeof wrongShape
  readonly getSession: typeof getSession
  readonly rejectOnAbort: typeof rejectOnAbort
  readonly ServicekitError: typeof ServicekitError
}

type Options = CallOptions & { readonly store?: BrowserStorage | undefined }

const stateName = 'servicekit.state'
/** Sign-ins kept for one tab: a user may go back and start again. */
const mostStarted = 5

/** Sign-in that this tab started. */
interface Started {
  /** Empty if the URL of the service had none: any state is then accepted. */
  readonly state: string
  /** Set when its code was sent to the service. */
  readonly isSent?: boolean
}

/** Throws a DOMException if the browser is set to store no data of the site. */
const pageStore = (): BrowserStorage | undefined =>
  (globalThis as unknown as typeof browser).window?.sessionStorage

const isStarted = (value: unknown): value is Started =>
  typeof (value as Started | null)?.state === 'string'

function readStarted(store: BrowserStorage | undefined): readonly Started[] {
  try {
    const list: unknown = JSON.parse(store?.getItem(stateName) ?? '[]')
    return Array.isArray(list) ? list.filter(isStarted) : []
  } catch {
    return []
  }
}

/** Saves a sign-in in place of that with its state, and drops the oldest of too many. */
function saveStarted(store: BrowserStorage | undefined, started: Started): void {
  const others = readStarted(store).filter(({ state }) => state !== started.state)
  store?.setItem(stateName, JSON.stringify([...others, started].slice(-mostStarted)))
}

/** Uses the storage, which a browser may deny or have no room in. */
function useStorage<T>({ ServicekitError }: SignInTools, intent: string, use: () => T): T {
  try {
    return use()
  } catch (cause) {
    throw new ServicekitError(`Cannot ${intent}: the browser refuses to store its state`, {
      code: 'SIGN_IN_REFUSED',
      help: 'Allow the site to store data, or pass a store.',
      cause,
    })
  }
}

/** Implements `startSignIn` of auth.ts. */
export async function start(
  tools: SignInTools,
  core: Core,
  route: Route,
  options: Options & { readonly clientId: string; readonly redirectUri: string },
): Promise<{ readonly url: string; readonly state: string | undefined; readonly raw: unknown }> {
  const { operate, pick, isHttpUrl, wrongShape } = tools
  const intent = 'start the sign-in'
  const { clientId, redirectUri, store = useStorage(tools, intent, pageStore), ...call } = options
  const query = { 'x-service-key': core.projectKey, clientId, redirectUri }
  const raw = await operate(core, route, { ...call, query, intent })
  const url = pick(raw, 'redirect_uri', 'authorizationUrl', 'url')
  // A page that navigates to a `javascript:` URL runs it.
  if (!isHttpUrl(url)) throw wrongShape(core, route, intent, 'a URL')
  const state = new URL(url).searchParams.get('state') ?? undefined
  // Saved even if empty: it distinguishes a user who started here from one sent by an
  // attacker.
  useStorage(tools, intent, () => saveStarted(store, { state: state ?? '' }))
  return { url, state, raw }
}

/** Exchanges of a code by this page, by store and state: React may complete a sign-in twice. */
const exchanges = new WeakMap<object, Map<string, Promise<contract.SignedIn>>>()

/** Implements `completeSignIn` of auth.ts. */
export async function complete(
  tools: SignInTools,
  core: Core,
  route: Route,
  address: string,
  options: Options,
): Promise<contract.SignedIn> {
  const { operate, getSession, rejectOnAbort, ServicekitError } = tools
  const intent = 'complete the sign-in'
  const { store = useStorage(tools, intent, pageStore), signal, ...call } = options
  const refusal = (reason: string, message?: string): ServicekitError =>
    new ServicekitError(`Cannot ${intent}: ${reason}`, {
      code: 'SIGN_IN_REFUSED',
      details: { message },
    })
  // Servers pass a path, and applications on a device a URL of their own scheme.
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(address)?.[1])
  const [code, state, error] = ['code', 'state', 'error'].map((name) => parameters.get(name))
  const all = readStarted(store)
  const started = all.find((one) => one.state === state) ?? all.find((one) => !one.state)
  // A forged callback leaves the saved states as they are.
  if (store && state && !started) throw refusal('unknown state')
  if (error) throw refusal(error, parameters.get('error_description') ?? undefined)
  if (!code) throw refusal('no code')
  if (!state || (store && !started)) throw refusal('no state')

  const exchange = async (): Promise<contract.SignedIn> => {
    // A reload of this page: the code can be used only once, and the service has it.
    if (started?.isSent && (await getSession(core, call))) return {}
    if (started) useStorage(tools, intent, () => saveStarted(store, { ...started, isSent: true }))
    return operate(core, route, {
      ...call,
      query: { code, state },
      intent,
      secrets: [code, state],
    })
  }
  const running = exchanges.get(store ?? core) ?? new Map<string, Promise<contract.SignedIn>>()
  exchanges.set(store ?? core, running)
  const key = `${state} ${code}`
  const work = running.get(key) ?? exchange()
  running.set(key, work)
  work.catch(() => running.delete(key))
  if (!signal) return work
  // The exchange goes on: an effect that React ends at once is not the only caller.
  return rejectOnAbort(signal, work).catch((cause: unknown) => {
    if (!signal.aborted) throw cause
    throw new ServicekitError(`Cannot ${intent}: the call was aborted`, {
      code: 'REQUEST_ABORTED',
      cause,
    })
  })
}
