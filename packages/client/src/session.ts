import type { Core } from './core.ts'
import type { RequestError } from './errors.ts'
import { createRenewal, type Renewal } from './renewal.ts'
import { logout } from './session-requests.ts'
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
  const tabs = options.tabs ?? browserTabs(core.projectKey, options.timeoutMs)
  const renewal = createRenewal({ ...options, core, tabs })
  const close = tabs.listen((message) => {
    if (message === 'renewed') renewal.skip()
    else if (message === 'ended') options.onEnd?.()
  })

  return {
    core: withSession(core, renewal),
    renew: async () => (await renewal.renew(renewal.renewalCount())) !== 'failed',
    signOut: async () => {
      await logout(core).catch((error: unknown) => {
        if (!endedStatuses.has((error as RequestError).status)) throw error
      })
      tabs.notify('ended')
    },
    close,
  }
}

/** Statuses of a service that has no session to end. */
const endedStatuses: ReadonlySet<number | undefined> = new Set([400, 401, 404])

/** Returns a core that repeats a call after a 401, once the session is renewed. */
export function withSession(core: Core, renewal: Pick<Renewal, 'renewalCount' | 'renew'>): Core {
  return {
    ...core,
    send: (route, input) => {
      // Without a session, a renewal changes nothing.
      if (route.access) return core.send(route, input)
      let countBefore = renewal.renewalCount()
      return core.send(route, {
        ...input,
        renew: async () => {
          const outcome = await renewal.renew(countBefore)
          countBefore = renewal.renewalCount()
          return outcome
        },
      })
    },
  }
}
