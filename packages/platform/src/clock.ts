/** Source of time, which tests can freeze and advance. */
export type Clock = ReturnType<typeof createClock>

/**
 * Creates a clock on top of that of the machine (`system`) or of another one, or one that is frozen
 * at an instant.
 */
export function createClock(base: 'system' | (() => Date) | Date) {
  const listeners = new Set<() => void>()
  let offset = 0
  let correction = 0
  const baseTime = (): number =>
    base === 'system' ? Date.now() : (base instanceof Date ? base : base()).getTime()
  const now = (): Date => new Date(baseTime() + correction + offset)
  return {
    now,
    /** True if time passes only when it is advanced. */
    isFrozen: base instanceof Date,
    /** True if it is the clock of the machine, which `correct` adjusts. */
    isSystem: base === 'system',
    /** Adds a difference in ms to the time of the machine, such as that to a shared clock. */
    correct: (ms: number): void => {
      correction = ms
    },
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
