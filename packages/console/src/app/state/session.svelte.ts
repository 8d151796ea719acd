import { type ApiError, sendToConsole } from './api.ts'

/** Project that the user may open. */
export interface ListedProject {
  readonly key: string
  readonly name: string
}

/** Projects of the user, and how the platform knows the user. */
export interface Session {
  readonly isThisMachine: boolean
  readonly projects: readonly ListedProject[]
  /** Keys of projects that the user is signed in to, but does not administer. */
  readonly denied: readonly string[]
}

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
export function createSession(projectInAddress: () => string | null) {
  let state = $state.raw<SessionState>({ status: 'loading' })
  const load = async (): Promise<void> => {
    const inAddress = projectInAddress()
    const keys = new Set([...(inAddress === null ? [] : [inAddress]), ...recentProjects()])
    const query = new URLSearchParams([...keys].map((key) => ['project', key]))
    try {
      const session = await sendToConsole<Session>(`/session?${query}`)
      state = { status: 'ready', session }
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
