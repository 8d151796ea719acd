import type { ApiError } from './api.ts'
import { getConsole } from './context.ts'

type ResourceState<T> =
  | { readonly status: 'loading' }
  /** `error` is why it could not be loaded again; the value is then the last one. */
  | { readonly status: 'ready'; readonly value: T; readonly error?: ApiError }
  | { readonly status: 'failed'; readonly error: ApiError }

/** Value that a page loads. */
export interface Resource<T> {
  readonly state: ResourceState<T>
  /** Loads the value again. The old one is shown until then, and if that fails. */
  readonly reload: () => Promise<void>
}

interface ResourceOptions {
  /** True if loading replaces what the user has typed, so that only the user reloads it. */
  readonly isForm?: boolean
  /** True if no action of a notice changes the value. */
  readonly isUnaffected?: boolean
}

/**
 * Creates a resource and loads it; again after each action of a notice, which may have changed it.
 * Call it while a component is initialised.
 */
export function createResource<T>(
  load: (signal: AbortSignal) => Promise<T>,
  { isForm = false, isUnaffected = false }: ResourceOptions = {},
): Resource<T> {
  const { notices } = getConsole()
  let state = $state.raw<ResourceState<T>>({ status: 'loading' })
  let controller = new AbortController()
  const reload = async (): Promise<void> => {
    controller.abort()
    controller = new AbortController()
    const { signal } = controller
    try {
      const value = await load(signal)
      if (!signal.aborted) state = { status: 'ready', value }
    } catch (error) {
      if (signal.aborted) return
      const failure = { error: error as ApiError }
      state = state.status === 'ready' ? { ...state, ...failure } : { status: 'failed', ...failure }
    }
  }
  $effect(() => (isForm || isUnaffected ? undefined : notices.onAction(reload)))
  $effect(() => () => controller.abort())
  void reload()
  return {
    get state() {
      return state
    },
    reload,
  }
}
