import type { Log } from './session.ts'

/** What goes wrong again and again, while a service is away, is said once. */
export interface Complaint {
  readonly say: (error: unknown) => void
  /** It went well: the next time it is news again. */
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
