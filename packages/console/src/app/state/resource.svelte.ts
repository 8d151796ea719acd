import type { ApiError } from './api.ts'

type ResourceState<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly error: ApiError }

/** Value that a page loads. */
export interface Resource<T> {
  readonly state: ResourceState<T>
  /** Loads the value again. The old one is shown until then. */
  readonly reload: () => Promise<void>
}

/** Creates a resource and loads it. Call it while a component is initialised. */
export function createResource<T>(load: (signal: AbortSignal) => Promise<T>): Resource<T> {
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
      if (!signal.aborted) state = { status: 'failed', error: error as ApiError }
    }
  }
  $effect(() => () => controller.abort())
  void reload()
  return {
    get state() {
      return state
    },
    reload,
  }
}
