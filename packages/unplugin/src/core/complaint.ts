import type { Log } from './session.ts'

/** Logger that prints a repeated error only once, e.g. while a service is unavailable. */
export interface Complaint {
  readonly say: (error: unknown) => void
  /** Resets after a success, so that the next error is printed again. */
  readonly forget: () => void
}

export function createComplaint(log: Log): Complaint {
  let said: string | undefined
  return {
    say(error) {
      const message = error instanceof Error ? error.message : String(error)
      if (message !== said) log.warn(message)
      said = message
    },
    forget: () => void (said = undefined),
  }
}
