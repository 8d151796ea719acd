/** Session of a page in Vue. */
import {
  type App,
  computed,
  type ComputedRef,
  type InjectionKey,
  inject,
  onMounted,
  onUnmounted,
  type Plugin,
  shallowRef,
} from 'vue'
import type { SessionState, SessionStore } from './session-store.ts'
import { requireStore, type UsedSession } from './use-session.ts'

export { createSessionStore, onSessionChange } from './session-store.ts'
export type { SessionState, SessionStore, SessionStoreOptions } from './session-store.ts'

const key: InjectionKey<SessionStore> = Symbol('servicekit.session')

/** Provides the session to all components: `app.use(sessionPlugin(session))`. */
export const sessionPlugin = (session: SessionStore): Plugin => ({
  install: (app: App) => void app.provide(key, session),
})

/** Session in a component, as computed values. */
export interface VueSession extends Pick<UsedSession, 'reload' | 'signOut'> {
  readonly status: ComputedRef<SessionState['status']>
  readonly user: ComputedRef<SessionState['user']>
}

/**
 * Returns the session; templates that read it update when it changes.
 *
 * @throws TypeError if the application has no `sessionPlugin`.
 */
export function useSession(): VueSession {
  const { get, subscribe, reload, signOut } = requireStore(
    inject(key, undefined),
    'app.use(sessionPlugin(session))',
  )
  const state = shallowRef(get())
  let stop: (() => void) | undefined
  // Not on a server, where components are never unmounted.
  onMounted(() => {
    stop = subscribe(() => (state.value = get()))
    state.value = get()
  })
  onUnmounted(() => stop?.())
  return {
    status: computed(() => state.value.status),
    user: computed(() => state.value.user),
    reload,
    signOut,
  }
}
