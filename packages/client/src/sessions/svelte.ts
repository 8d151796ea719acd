/** Session of a page in Svelte 5. */
import { getContext, setContext } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { SessionStore } from './session-store.ts'
import { requireStore, type UsedSession } from './use-session.ts'

export { createSessionStore, onSessionChange } from './session-store.ts'
export type { SessionState, SessionStore, SessionStoreOptions } from './session-store.ts'
export type { UsedSession } from './use-session.ts'

const key = Symbol.for('servicekit.session')

/** Provides the session to the components below; called in the layout. */
export const provideSession = (session: SessionStore): SessionStore => setContext(key, session)

/**
 * Returns the session; templates that read its properties update when it changes. Do not
 * destructure it.
 *
 * @throws TypeError if no component above calls `provideSession`.
 */
export function useSession(): UsedSession {
  const store = requireStore(getContext(key), 'provideSession(session)')
  const track = createSubscriber(store.subscribe)
  const read = () => (track(), store.get())
  return {
    get status() {
      return read().status
    },
    get user() {
      return read().user
    },
    reload: store.reload,
    signOut: store.signOut,
  }
}
