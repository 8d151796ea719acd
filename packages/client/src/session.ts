import type { Route } from '@servicekit/contract/routes'
import type { Core } from './core.ts'
import { RequestError } from './errors.ts'
import { logout, refresh } from './session-requests.ts'
import { browserTabs, type Tabs } from './tabs.ts'

export interface SessionOptions {
  /** Registered OIDC client. */
  readonly clientId: string
  /** How long a failed renewal is not repeated, in milliseconds; 60,000 by default. */
  readonly coolDownMs?: number
  /** Longest wait for one renewal, and for another tab's, in milliseconds; 5,000 by default. */
  readonly timeoutMs?: number
  /** Other tabs of the browser; by default found through Web Locks and BroadcastChannel. */
  readonly tabs?: Tabs
  /** Called when the session was ended, here or in another tab, or cannot be renewed. */
  readonly onEnd?: () => void
  readonly now?: () => number
}

/** A session of a browser, renewed when it is needed. */
export interface Session {
  /** Sends like the core it was made of; a 401 renews the session, and the call is tried once more. */
  readonly core: Core
  /** Renews now, once for all who ask meanwhile. False where it failed, or failed just before. */
  readonly renew: () => Promise<boolean>
  /** Ends the session on the server and tells the other tabs. */
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
export function createSession(
  core: Core,
  {
    clientId,
    coolDownMs = 60_000,
    timeoutMs = 5_000,
    onEnd,
    now = Date.now,
    tabs = browserTabs(core.projectKey, timeoutMs),
  }: SessionOptions,
): Session {
  let running: Promise<boolean> | undefined
  let renewals = 0
  let failedMs = -Infinity
  const close = tabs.listen((said) => {
    if (said === 'renewed') {
      renewals++
      failedMs = -Infinity
    } else onEnd?.()
  })

  const renewOnce = async (): Promise<boolean> => {
    const before = renewals
    // Whoever waits for another tab hears of its renewal, and needs none of its own.
    const isRenewed = await tabs.alone(
      () => renewals > before,
      async () => {
        await refresh(core, { clientId, timeoutMs })
        tabs.tell('renewed')
      },
    )
    if (isRenewed) renewals++
    return true
  }
  const renew = (): Promise<boolean> => {
    if (now() - failedMs < coolDownMs) return Promise.resolve(false)
    running ??= renewOnce()
      .catch((error: unknown) => {
        failedMs = now()
        // A service that is down or busy has not ended the session.
        if (
          error instanceof RequestError &&
          error.code === 'REQUEST_REFUSED' &&
          error.status! < 500
        ) {
          onEnd?.()
        }
        return false
      })
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    core: withSession(core, { renew, renewals: () => renewals }),
    renew,
    signOut: async () => {
      await logout(core)
      tabs.tell('ended')
    },
    close,
  }
}

/** A core whose calls are tried once more after a 401 that a renewal can mend. */
export function withSession(
  core: Core,
  session: { readonly renew: () => Promise<boolean>; readonly renewals: () => number },
): Core {
  return {
    ...core,
    send: async (route, input) => {
      const before = session.renewals()
      try {
        return await core.send(route, input)
      } catch (error) {
        const isOver = error instanceof RequestError && error.status === 401 && isMendable(route)
        // A call that was under way while others renewed only has to be repeated.
        if (!isOver || (session.renewals() === before && !(await session.renew()))) throw error
        return core.send(route, input)
      }
    },
  }
}

/** Signing in and out is not mended by a renewal, and texts answer 401 for a wrong project key. */
const isMendable = ({ id, section, auth }: Route): boolean =>
  id === 'auth.getSession' ||
  !(section === '4.1' || (/^4\.[67]$/.test(section) && auth === 'project'))
