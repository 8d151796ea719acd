/** What is told when texts were published; `ModuleId` is null for more than one module. */
interface GenerateUilmFilesEvent {
  readonly GenerateUilmFilesEvent: {
    readonly Guid: string
    readonly ModuleId: string | null
    readonly ProjectKey: string
  }
}

/** What is told when an auto-translation job ended; `Response` is false where it failed. */
interface TranslateAllEvent {
  readonly TranslateAllEvent: {
    readonly ModuleId: string | null
    readonly MessageCoRelationId: string
    readonly ProjectKey: string
    readonly DefaultLanguage: string
  }
  readonly Response: boolean
}

/** An event of a project, in the shape that webhooks carry (section 6). */
export type PlatformEvent = GenerateUilmFilesEvent | TranslateAllEvent

/** Who hears of events, and of the end of all events. */
interface EventListener {
  readonly onEvent: (event: PlatformEvent, projectKey: string) => void
  readonly onClose?: () => void
}

/** Tells listeners of this process what happens in a project. */
export interface EventHub {
  readonly emit: (projectKey: string, event: PlatformEvent) => void
  /** Without a key the listener hears of every project. @returns what ends listening. */
  readonly listen: (projectKey: string | undefined, listener: EventListener) => () => void
  /** Tells every listener that no event will follow. */
  readonly close: () => void
}

/** A hub without listeners. */
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
