/** Session of a page in React. */
import { createContext, createElement, type ReactNode, useContext } from 'react'
import type { SessionStore } from './session-store.ts'
import { requireStore, type UsedSession } from './use-session.ts'
import { useStore } from './use-store.ts'

export { createSessionStore, onSessionChange } from './session-store.ts'
export type { SessionState, SessionStore, SessionStoreOptions } from './session-store.ts'
export type { UsedSession } from './use-session.ts'

const SessionContext = createContext<SessionStore | undefined>(undefined)

/** Provides the session to the components below. */
export const SessionProvider = (props: {
  readonly session: SessionStore
  readonly children?: ReactNode
}): ReactNode => createElement(SessionContext.Provider, { value: props.session }, props.children)

/**
 * Returns the session. The component renders again when it changes.
 *
 * @throws TypeError outside of a `SessionProvider`.
 */
export function useSession(): UsedSession {
  const { get, subscribe, reload, signOut } = requireStore(
    useContext(SessionContext),
    '<SessionProvider>',
  )
  return { ...useStore(subscribe, get, get), reload, signOut }
}
