import { readFileSync } from 'node:fs'

/**
 * Starts to measure the processor time that the host of a virtual machine gave to others. Returns
 * a function that returns its percentage since the start: 0 where the system does not report it.
 *
 * @returns {() => number}
 */
export function measureStolenTime() {
  const before = readTicks()
  return () => {
    const ticks = readTicks().map((value, index) => value - (before[index] ?? 0))
    const total = ticks.reduce((sum, value) => sum + value, 0)
    return total > 0 ? (100 * (ticks[stealColumn] ?? 0)) / total : 0
  }
}

/** Columns of `cpu` in `/proc/stat`, from `user` on. */
const stealColumn = 7

/** @returns {readonly number[]} */
function readTicks() {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    // `guest` and `guest_nice` are part of `user` and `nice`.
    return line.trim().split(/\s+/).slice(1, 9).map(Number)
  } catch {
    return []
  }
}
