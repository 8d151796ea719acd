import type { ControlResult } from '@servicekit/client/control'
import type { ApiError } from './api-error.ts'
import { callControl } from './control.ts'

/** Projects of the user, and how the platform knows the user. */
type Session = ControlResult<'GET /session'>

/** Project that the user may open. */
export type ListedProject = Session['projects'][number]

export type SessionState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly session: Session }
  | { readonly status: 'failed'; readonly error: ApiError }

const storageKey = 'servicekit-console-projects'
const maxRecent = 20

/** Returns the keys of the projects that were opened in this browser, the last one first. */
export function recentProjects(): readonly string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : []
  } catch {
    return []
  }
}

/** Remembers a project, so that it is opened the next time. Its key is public. */
export function storeProject(key: string): void {
  const others = recentProjects().filter((one) => one !== key)
  localStorage.setItem(storageKey, JSON.stringify([key, ...others].slice(0, maxRecent)))
}

/** Creates the session of the console, and loads it. Call it while a component is initialised. */
export function createSession() {
  let state = $state.raw<SessionState>({ status: 'loading' })
  const load = async (): Promise<void> => {
    try {
      state = { status: 'ready', session: await callControl('GET /session') }
    } catch (error) {
      state = { status: 'failed', error: error as ApiError }
    }
  }
  void load()
  return {
    get state() {
      return state
    },
    load,
  }
}
