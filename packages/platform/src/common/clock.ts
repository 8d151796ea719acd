/** Source of time for the platform. Tests can freeze and advance it. */
export interface Clock {
  readonly now: () => Date
  /** True if time passes only when it is advanced. */
  readonly isFrozen: boolean
  /** Advances the time and notifies listeners. @returns the new time. */
  readonly advance: (ms: number) => Date
  /** @returns a function that removes the listener. */
  readonly onAdvance: (listener: () => void) => () => void
}

/**
 * Creates a clock on top of another one.
 *
 * @param base source of time, or an instant at which the clock is frozen.
 */
export function createClock(base: (() => Date) | Date): Clock {
  const listeners = new Set<() => void>()
  let offset = 0
  const now = (): Date => new Date((base instanceof Date ? base : base()).getTime() + offset)
  return {
    now,
    isFrozen: base instanceof Date,
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
