import type { Route } from '@servicekit/contract/routes'
import type { Core } from './core.ts'
import type { RequestError } from './errors.ts'
import type { Renewal } from './renewal.ts'
import { logout, refresh } from './session-requests.ts'
import { browserTabs, type Tabs } from './tabs.ts'

/** How a session is watched over. */
export interface SessionOptions {
  /** Registered OIDC client. */
  readonly clientId: string
  /**
   * How long a refused renewal is not repeated, in milliseconds; 60,000 by default. One that
   * fails because the service is down or busy is repeated by the next call that needs it.
   */
  readonly coolDownMs?: number
  /**
   * Longest wait for one renewal with its retries, and for another tab's, in milliseconds;
   * 5,000 by default. A call that waits for it ends no later than it would without.
   */
  readonly timeoutMs?: number
  /** Other tabs of the browser; by default found through Web Locks and BroadcastChannel. */
  readonly tabs?: Tabs
  /** Called when another tab has ended the session, or it cannot be renewed. */
  readonly onEnd?: () => void
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
}

/** A session of a browser, renewed when it is needed. */
export interface Session {
  /**
   * Sends like the core it was made of. After a 401, or `AUTH_NOT_AUTHENTICATED` of the data
   * gateway, it renews the session and sends the request once more.
   */
  readonly core: Core
  /** Renews now, once for all who ask meanwhile. False where it failed, or failed just before. */
  readonly renew: () => Promise<boolean>
  /**
   * Ends the session on the server and tells the other tabs. What is to be shown then is up
   * to the caller: `onEnd` is called in the others. A session that is over already is no
   * error.
   *
   * @throws RequestError where the service cannot be reached, or refuses.
   */
  readonly signOut: () => Promise<void>
  /** Stops listening to other tabs. */
  readonly close: () => void
}

/**
 * Watches over a session: one renewal for any number of calls that met 401, in
 * one tab and across tabs.
 *
 * ```ts
 * const session = createSession(core, { clientId: 'web', onEnd: () => location.assign('/sign-in') })
 * await getMe(session.core)
 * ```
 *
 * @see section 5, rule 4
 */
export function createSession(core: Core, options: SessionOptions): Session {
  const tabs = options.tabs ?? browserTabs(core.projectKey)
  const shared = { ...options, core, refresh, tabs, renewals: 0 }
  let renewal: Renewal | undefined
  const close = tabs.listen((said) => {
    if (said === 'renewed') {
      shared.renewals++
      renewal?.skip()
    } else options.onEnd?.()
  })
  const mark = (): number => shared.renewals
  const renew = (before: number): Promise<boolean | undefined> =>
    // Loaded when there is something to renew, which is minutes after a page was.
    import('./renewal.ts')
      .then(({ createRenewal }) => (renewal ??= createRenewal(shared)).renew(before))
      .catch(() => undefined)

  return {
    core: withSession(core, { renew, mark }),
    renew: async () => (await renew(mark())) !== undefined,
    signOut: async () => {
      await logout(core).catch((error: unknown) => {
        if (!/40[014]/.test(`${(error as RequestError).status}`)) throw error
      })
      tabs.tell('ended')
    },
    close,
  }
}

/** A core whose calls are tried once more after a 401 that a renewal can mend. */
export function withSession(
  core: Core,
  session: {
    /** Changes with every renewal that this tab has made or has heard of. */
    readonly mark: () => number
    /**
     * True for a renewal, false where another tab has renewed, undefined where it failed.
     * @param before What `mark` was when the call was sent that met 401.
     */
    readonly renew: (before: number) => Promise<boolean | undefined>
  },
): Core {
  return {
    ...core,
    send: (route, input) => {
      if (!isMendable(route)) return core.send(route, input)
      let before = session.mark()
      let isOurs: boolean | undefined = false
      return core.send(route, {
        ...input,
        renew: async () => {
          if (isOurs) return false
          // A call that was in flight while others renewed only has to be repeated; their
          // renewal may have been for an earlier one, and then it is our turn.
          if (session.mark() === before) isOurs = await session.renew(before)
          before = session.mark()
          return isOurs !== undefined
        },
      })
    },
  }
}

/** A renewal mends no sign-in, and the project key alone counts for texts and suggestions. */
const isMendable = ({ id, section }: Route): boolean =>
  id === 'auth.getSession' || !/[167]$/.test(section)
