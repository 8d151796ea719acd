/** The platform's idea of time. Tests hold it still and move it on. */
export interface Clock {
  readonly now: () => Date
  /** Whether time passes only when it is advanced. */
  readonly isFrozen: boolean
  /** Whether it tells another time than the one that it is on top of. */
  readonly isShifted: () => boolean
  /** Moves time on, and tells who waits for a time. @returns the time it then is. */
  readonly advance: (ms: number) => Date
  /** @returns what ends listening. */
  readonly onAdvance: (listener: () => void) => () => void
}

/**
 * A clock on top of another one.
 *
 * @param base what tells the time; an instant at which time stands still otherwise.
 */
export function clockOf(base: (() => Date) | Date): Clock {
  const listeners = new Set<() => void>()
  let offset = 0
  const now = (): Date => new Date((base instanceof Date ? base : base()).getTime() + offset)
  return {
    now,
    isFrozen: base instanceof Date,
    isShifted: () => base instanceof Date || offset !== 0,
    advance: (ms) => {
      offset += ms
      for (const listener of listeners) listener()
      return now()
    },
    onAdvance: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
