import type { SessionState, SessionStore } from './session-store.ts'

/** Session in a component, with the functions of its store. */
export interface UsedSession extends SessionState, Pick<SessionStore, 'reload' | 'signOut'> {}

/** @throws TypeError if no component above provides the session. */
export function requireStore(store: SessionStore | undefined, provide: string): SessionStore {
  if (store) return store
  throw new TypeError(`useSession() requires ${provide} in a component above`)
}
