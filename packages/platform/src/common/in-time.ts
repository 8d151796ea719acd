import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from './clock.ts'

/** Clock of the current async context; undefined means the machine's clock. */
const clocks = new AsyncLocalStorage<Clock | undefined>()

/** Original `Date.now`, set once it has been replaced. */
let machineNow: (() => number) | undefined

/**
 * Runs a function that reads `Date.now`, so that it sees the time of a platform whose
 * clock is frozen or was advanced. Other code in the process still sees the machine's
 * time. With the machine's own clock this only calls `run`.
 */
export function inTime<T>(clock: Clock, run: () => T): T {
  if (!clock.isShifted()) return run()
  if (machineNow === undefined) {
    const now = Date.now
    machineNow = now
    Date.now = () => {
      const own = clocks.getStore()
      // A clock may itself call `Date.now`.
      return own ? clocks.run(undefined, () => own.now().getTime()) : now()
    }
  }
  return clocks.run(clock, run)
}
