/** Event sent when translations are published; `ModuleId` is null for more than one module. */
interface GenerateUilmFilesEvent {
  readonly GenerateUilmFilesEvent: {
    readonly Guid: string
    readonly ModuleId: string | null
    readonly ProjectKey: string
  }
}

/** Event sent when an auto-translation job ends; `Response` is false if it failed. */
interface TranslateAllEvent {
  readonly TranslateAllEvent: {
    readonly ModuleId: string | null
    readonly MessageCoRelationId: string
    readonly ProjectKey: string
    readonly DefaultLanguage: string
  }
  readonly Response: boolean
}

/** Event of a project, in the shape that webhooks deliver (section 6). */
export type PlatformEvent = GenerateUilmFilesEvent | TranslateAllEvent

/** Listener for events and for the close of the hub. */
interface EventListener {
  readonly onEvent: (event: PlatformEvent, projectKey: string) => void
  readonly onClose?: () => void
}

/** Event emitter for the listeners of this process, by project. */
export interface EventHub {
  readonly emit: (projectKey: string, event: PlatformEvent) => void
  /**
   * Adds a listener; without a key it receives events of every project. @returns a
   * function that removes it.
   */
  readonly listen: (projectKey: string | undefined, listener: EventListener) => () => void
  /** Removes all listeners and calls their `onClose`. */
  readonly close: () => void
}

/** Creates a hub without listeners. */
export function eventHub(): EventHub {
  const listeners = new Map<string | undefined, Set<EventListener>>()
  return {
    emit: (projectKey, event) => {
      for (const key of [projectKey, undefined]) {
        for (const { onEvent } of listeners.get(key) ?? []) onEvent(event, projectKey)
      }
    },
    listen: (projectKey, listener) => {
      const set = listeners.get(projectKey) ?? new Set()
      listeners.set(projectKey, set.add(listener))
      return () => {
        set.delete(listener)
        if (set.size === 0 && listeners.get(projectKey) === set) listeners.delete(projectKey)
      }
    },
    close: () => {
      const all = [...listeners.values()].flatMap((set) => [...set])
      listeners.clear()
      for (const { onClose } of all) onClose?.()
    },
  }
}
