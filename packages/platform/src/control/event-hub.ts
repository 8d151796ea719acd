/** What is told when texts were published; `ModuleId` is null for more than one module. */
export interface GenerateUilmFilesEvent {
  readonly GenerateUilmFilesEvent: {
    readonly Guid: string
    readonly ModuleId: string | null
    readonly ProjectKey: string
  }
}

/** An event of a project, in the shape that webhooks carry. */
export type PlatformEvent = GenerateUilmFilesEvent

/** Tells listeners of this process what happens in a project. */
export interface EventHub {
  readonly emit: (projectKey: string, event: PlatformEvent) => void
  /** @returns what ends listening. */
  readonly listen: (projectKey: string, listener: (event: PlatformEvent) => void) => () => void
}

/** An empty hub. */
export function eventHub(): EventHub {
  const listeners = new Map<string, Set<(event: PlatformEvent) => void>>()
  return {
    emit: (projectKey, event) => {
      for (const listener of listeners.get(projectKey) ?? []) listener(event)
    },
    listen: (projectKey, listener) => {
      const set = listeners.get(projectKey) ?? new Set()
      listeners.set(projectKey, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(projectKey) === set) listeners.delete(projectKey)
      }
    },
  }
}
