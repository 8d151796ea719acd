/** Source of time, which tests can freeze and advance. */
export type Clock = ReturnType<typeof createClock>

/** Creates a clock on top of another one, or one that is frozen at an instant. */
export function createClock(base: (() => Date) | Date) {
  const listeners = new Set<() => void>()
  let offset = 0
  const now = (): Date => new Date((base instanceof Date ? base : base()).getTime() + offset)
  return {
    now,
    /** True if time passes only when it is advanced. */
    isFrozen: base instanceof Date,
    /** Advances the time and notifies listeners. @returns the new time. */
    advance: (ms: number): Date => {
      offset += ms
      for (const listener of listeners) listener()
      return now()
    },
    /** @returns a function that removes the listener. */
    onAdvance: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
