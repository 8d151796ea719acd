import type { Route } from '@servicekit/contract/routes'
import type { Core } from './core.ts'
import type { RequestError } from './errors.ts'
import type { Renewal } from './renewal.ts'
import { logout, refresh } from './session-requests.ts'
import { browserTabs, type Tabs } from './tabs.ts'

/** Options of {@link createSession}. */
export interface SessionOptions {
  /** Id of the registered OIDC client. */
  readonly clientId: string
  /**
   * Pause after a refused renewal, in milliseconds. Default: 60,000. A renewal that fails
   * because the service is down or busy is repeated by the next call that needs it.
   */
  readonly coolDownMs?: number
  /**
   * Longest wait for one renewal with its retries, and for the renewal of another tab, in
   * milliseconds. Default: 5,000. The timeouts of a waiting call still apply.
   */
  readonly timeoutMs?: number
  /** Coordination with other tabs. Default: Web Locks and BroadcastChannel. */
  readonly tabs?: Tabs
  /** Called when another tab has ended the session, or it cannot be renewed. */
  readonly onEnd?: () => void
  /** Milliseconds since 1970; `Date.now` by default. */
  readonly now?: () => number
}

/** Browser session that is renewed on demand. */
export interface Session {
  /**
   * Core that renews the session after a 401, or after `AUTH_NOT_AUTHENTICATED` from the
   * data gateway, and sends the request once more.
   */
  readonly core: Core
  /** Renews now, once for all concurrent callers. False if it failed, or failed within `coolDownMs`. */
  readonly renew: () => Promise<boolean>
  /**
   * Ends the session on the server and notifies the other tabs, which call `onEnd`. In this
   * tab the caller decides what to show next. A session that has already ended is not an
   * error.
   *
   * @throws RequestError if the service cannot be reached or refuses.
   */
  readonly signOut: () => Promise<void>
  /** Stops listening to other tabs. */
  readonly close: () => void
}

/**
 * Creates a session that renews itself: a single renewal for any number of calls that
 * received 401, in one tab and across tabs.
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
  const close = tabs.listen((message) => {
    if (message === 'renewed') {
      shared.renewals++
      renewal?.skip()
    } else options.onEnd?.()
  })
  const mark = (): number => shared.renewals
  const renew = (before: number): Promise<boolean | undefined> =>
    // Loaded on the first renewal, typically minutes after the page.
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
      tabs.notify('ended')
    },
    close,
  }
}

/** Returns a core that repeats a call after a 401, once the session is renewed. */
export function withSession(
  core: Core,
  session: {
    /** Returns a value that changes with every renewal that this tab made or was notified of. */
    readonly mark: () => number
    /**
     * Resolves with true after a renewal, false if another tab renewed, undefined if it
     * failed.
     *
     * @param before Value of `mark` when the call that received 401 was sent.
     */
    readonly renew: (before: number) => Promise<boolean | undefined>
  },
): Core {
  return {
    ...core,
    send: (route, input) => {
      if (!isRenewable(route)) return core.send(route, input)
      let before = session.mark()
      let isOurs: boolean | undefined = false
      return core.send(route, {
        ...input,
        renew: async () => {
          if (isOurs) return false
          // If another renewal happened while this call was in flight, only repeat the
          // call. That renewal may have been for an earlier call; if so, the next 401
          // renews here.
          if (session.mark() === before) isOurs = await session.renew(before)
          before = session.mark()
          return isOurs !== undefined
        },
      })
    },
  }
}

/**
 * Signing in cannot be fixed by a renewal; translations and suggestions need only the
 * project key.
 */
const isRenewable = ({ id, section }: Route): boolean =>
  id === 'auth.getSession' || !/[167]$/.test(section)
