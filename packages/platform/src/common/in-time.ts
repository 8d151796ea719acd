import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from './clock.ts'

/** Whose time it is for what runs now; the machine's where there is none. */
const clocks = new AsyncLocalStorage<Clock | undefined>()

/** The machine's time, once `Date.now` was replaced. */
let machineNow: (() => number) | undefined

/**
 * Runs something that takes its time from `Date.now`, so that it sees the time of
 * a platform whose clock stands still or was moved on. Whatever else runs in the
 * process meanwhile sees the machine's, and with the machine's own clock nothing
 * is done at all.
 */
export function inTime<T>(clock: Clock, run: () => T): T {
  if (!clock.isShifted()) return run()
  if (machineNow === undefined) {
    const now = Date.now
    machineNow = now
    Date.now = () => {
      const own = clocks.getStore()
      // A clock may itself ask for `Date.now`.
      return own ? clocks.run(undefined, () => own.now().getTime()) : now()
    }
  }
  return clocks.run(clock, run)
}
