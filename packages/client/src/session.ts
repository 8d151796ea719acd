import type { Route } from '@servicekit/contract/routes'
import type { Core } from './core.ts'
import type { RequestError } from './errors.ts'
import { logout, refresh } from './session-requests.ts'
import { browserTabs, type Tabs } from './tabs.ts'

/** How a session is watched over. */
export interface SessionOptions {
  /** Registered OIDC client. */
  readonly clientId: string
  /** How long a failed renewal is not repeated, in milliseconds; 60,000 by default. */
  readonly coolDownMs?: number
  /** Longest wait for one renewal, and for another tab's, in milliseconds; 5,000 by default. */
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
  /** Sends like the core it was made of; a 401 renews the session, and the call is tried once more. */
  readonly core: Core
  /** Renews now, once for all who ask meanwhile. False where it failed, or failed just before. */
  readonly renew: () => Promise<boolean>
  /**
   * Ends the session on the server and tells the other tabs. What is to be shown then is up
   * to the caller: `onEnd` is called in the others.
   *
   * @throws RequestError 400 where there is no session any more.
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
  let running: Promise<boolean | undefined> | undefined
  let renewals = 0
  let failedMs = -coolDownMs
  let asking: AbortController | undefined
  const close = tabs.listen((said) => {
    if (said === 'renewed') {
      renewals++
      failedMs = -coolDownMs
      // A tab that slept, and would ask again for what another has got meanwhile.
      asking?.abort()
    } else onEnd?.()
  })

  /** Whether the renewal was ours; undefined where it failed. */
  const renew = async (before: number): Promise<boolean | undefined> => {
    if (now() - failedMs < coolDownMs) return undefined
    running ??= tabs
      .alone(
        () => renewals !== before,
        async () => {
          asking = new AbortController()
          await refresh(core, { clientId, timeoutMs, signal: asking.signal })
          renewals++
          tabs.tell('renewed')
        },
      )
      .catch((error: unknown) => {
        failedMs = now()
        // Refused; a service that is down or busy has not ended the session.
        if (/^[034](?!08|2[59])/.test(String((error as RequestError).status))) onEnd?.()
        return undefined
      })
      .finally(() => {
        running = undefined
      })
    return running
  }
  const mark = (): number => renewals

  return {
    core: withSession(core, { renew, mark }),
    renew: async () => (await renew(renewals)) !== undefined,
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
    send: async (route, input) => {
      for (let tries = 0, isOurs: boolean | undefined = false; ; tries++) {
        const before = session.mark()
        try {
          return await core.send(route, input)
        } catch (error) {
          const isOver = (error as RequestError).status === 401 && isMendable(route)
          if (!isOver || isOurs || tries > 1) throw error
          // A call that was under way while others renewed only has to be repeated; what they
          // did may have been for an earlier one, and then it is our turn.
          if (session.mark() === before) isOurs = await session.renew(before)
          if (isOurs === undefined) throw error
        }
      }
    },
  }
}

/** Signing in and out is not mended by a renewal, and texts answer 401 for a wrong project key. */
const isMendable = ({ id, section, auth }: Route): boolean =>
  id !== 'auth.logout' && (auth !== 'project' || !/[167]$/.test(section))
