import { createHash } from 'node:crypto'

const block = Buffer.alloc(256 * 1024)
const intervalMs = 100

/**
 * Measures the speed of the processors while this process has nothing else to do: the processor
 * time of a fixed piece of work. It grows while others use the same processor core, or while the
 * host of a virtual machine runs others, which a virtual machine may not report.
 *
 * @returns {{ takeUs: () => number, stop: () => void }} `takeUs` returns the mean time in µs since
 * its last call
 */
export function measureHostSpeed() {
  /** @type {number[]} */
  let timesUs = []
  const timer = setInterval(() => {
    const before = process.cpuUsage()
    createHash('sha256').update(block).digest()
    const { user, system } = process.cpuUsage(before)
    timesUs.push(user + system)
  }, intervalMs)
  return {
    takeUs: () => {
      const taken = timesUs
      timesUs = []
      return taken.reduce((sum, one) => sum + one, 0) / Math.max(1, taken.length)
    },
    stop: () => clearInterval(timer),
  }
}
