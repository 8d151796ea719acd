import { createSession, type SessionOptions } from '../session.ts'
import type { Core } from '../core.ts'
import type { RequestError } from '../errors.ts'
import { getMe } from '../iam.ts'
import type { User } from '../user.ts'

/** Session of a browser as components read it. The object changes with every change. */
export interface SessionState {
  readonly status: 'loading' | 'signed-in' | 'signed-out'
  readonly user: User | undefined
}

/** Options of {@link createSessionStore}. */
export interface SessionStoreOptions extends SessionOptions {
  /**
   * User that the server has rendered the page for, or null if nobody is signed in. The
   * first render then needs no request. By default the user is loaded when the first
   * component subscribes.
   */
  readonly user?: User | null | undefined
}

/** Session that components subscribe to. */
export interface SessionStore {
  /** Core that renews the session on demand. */
  readonly core: Core
  /** Returns the current state. */
  readonly get: () => SessionState
  /** Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void
  /**
   * Loads the user again, after a sign-in for example.
   *
   * @throws RequestError for any failure other than 401.
   */
  readonly reload: () => Promise<User | undefined>
  /**
   * Ends the session, here and in the other tabs.
   *
   * @throws RequestError if the service cannot be reached or refuses.
   */
  readonly signOut: () => Promise<void>
  /** Stops listening to other tabs. */
  readonly close: () => void
}

const signedOut: SessionState = { status: 'signed-out', user: undefined }

/**
 * Creates the session of a page, whose components read it with `useSession`.
 *
 * ```ts
 * const session = createSessionStore(core, { clientId: 'web', user: data.user })
 * ```
 */
export function createSessionStore(
  core: Core,
  { user, ...options }: SessionStoreOptions,
): SessionStore {
  const stateOf = (found: User | undefined): SessionState =>
    found ? { status: 'signed-in', user: found } : signedOut
  let state: SessionState =
    user === undefined ? { status: 'loading', user } : stateOf(user ?? undefined)
  let loading: Promise<User | undefined> | undefined
  const listeners = new Set<() => void>()
  const set = (next: SessionState): void => {
    if (next.status === state.status && next.user === state.user) return
    state = next
    for (const listener of listeners) listener()
  }
  const session = createSession(core, {
    ...options,
    onEnd: () => {
      set(signedOut)
      options.onEnd?.()
    },
  })
  const reload = (): Promise<User | undefined> =>
    (loading ??= getMe(session.core)
      .catch((error: unknown) => {
        if ((error as RequestError).status !== 401) throw error
        return undefined
      })
      .then((found) => {
        set(stateOf(found))
        return found
      })
      .finally(() => (loading = undefined)))

  return {
    core: session.core,
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      // A failure keeps the status; the next subscription tries again.
      if (state.status === 'loading') void reload().catch(() => undefined)
      return () => void listeners.delete(listener)
    },
    reload,
    signOut: async () => {
      await session.signOut()
      set(signedOut)
    },
    close: session.close,
  }
}

/**
 * Calls `listener` with each change of the session: a sign-in, a sign-out in any tab, or a
 * session that cannot be renewed. Returns a function that unsubscribes.
 */
export const onSessionChange = (
  store: SessionStore,
  listener: (state: SessionState) => void,
): (() => void) => store.subscribe(() => listener(store.get()))
