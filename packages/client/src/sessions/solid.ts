/** Session of a page in Solid. */
import {
  createComponent,
  createContext,
  createSignal,
  type JSX,
  onCleanup,
  onMount,
  useContext,
} from 'solid-js'
import type { SessionStore } from './session-store.ts'
import { requireStore, type UsedSession } from './use-session.ts'

export { createSessionStore, onSessionChange } from './session-store.ts'
export type { SessionState, SessionStore, SessionStoreOptions } from './session-store.ts'
export type { UsedSession } from './use-session.ts'

const SessionContext = createContext<SessionStore>()

/** Provides the session to the components below. */
export const SessionProvider = (props: {
  readonly session: SessionStore
  readonly children?: JSX.Element
}): JSX.Element =>
  createComponent(SessionContext.Provider, {
    value: props.session,
    get children() {
      return props.children
    },
  })

/**
 * Returns the session; JSX that reads its properties updates when it changes. Do not
 * destructure it.
 *
 * @throws TypeError outside of a `SessionProvider`.
 */
export function useSession(): UsedSession {
  const store = requireStore(useContext(SessionContext), '<SessionProvider>')
  const [state, setState] = createSignal(store.get())
  onMount(() => {
    onCleanup(store.subscribe(() => setState(store.get())))
    setState(store.get())
  })
  return {
    get status() {
      return state().status
    },
    get user() {
      return state().user
    },
    reload: store.reload,
    signOut: store.signOut,
  }
}
