import { readFileSync } from 'node:fs'

/**
 * Processor time in ms that the current thread has used, which other processes do not add to.
 * Outside Linux it is the time in which the event loop was busy.
 */
export function eventLoopCpuMs(): number {
  if (process.platform !== 'linux') return performance.eventLoopUtilization().active
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1]!
