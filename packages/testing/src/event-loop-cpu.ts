import { readFileSync } from 'node:fs'

/**
 * Returns the processor time in ms of the current thread, unaffected by other processes.
 * Outside Linux it is the time during which the event loop was busy.
 */
export function eventLoopCpuMs(): number {
  if (process.platform !== 'linux') return performance.eventLoopUtilization().active
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
