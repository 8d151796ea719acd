import { readFileSync } from 'node:fs'
import { readTree, ticksPerSecond } from './process-tree.mjs'

/**
 * Starts to measure the processor time that others took: other processes of this machine, and the
 * host of a virtual machine. Returns a function that returns its percentage since the start: 0
 * where the system does not report it.
 *
 * @param {number} root process id; its descendants do not count as others
 * @returns {() => number}
 */
export function measureOtherWork(root) {
  const before = read(root)
  return () => {
    const { all, busy } = read(root)
    const total = all - before.all
    return total > 0 ? (100 * Math.max(0, busy - before.busy)) / total : 0
  }
}

/**
 * Returns the ticks of the processors since the start of the machine, and those of others. The
 * kernel counts an interrupt in the time of the process that it interrupts, too.
 *
 * @param {number} root
 */
function read(root) {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    // `guest` and `guest_nice` are part of `user` and `nice`.
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
    const all = ticks.reduce((sum, value) => sum + value, 0)
    const [idle = 0, waiting = 0] = ticks.slice(3)
    const own = readTree(root).cpuSeconds * ticksPerSecond
    return { all, busy: all - idle - waiting - own }
  } catch {
    return { all: 0, busy: 0 }
  }
}
