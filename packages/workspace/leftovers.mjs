import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Returns the processes that have a marker in their environment, as `pid command`. Every
 * process that a run starts inherits its marker, even outside its process group. Only Linux
 * exposes the environment of processes; on other systems none are found.
 *
 * @param {string} mark as `NAME=value`
 * @returns {{ pid: number, command: string }[]}
 */
export function markedProcesses(mark) {
  if (!existsSync('/proc/self/environ')) return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readOr(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => ({
      pid: Number(pid),
      command: readOr(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    }))
    .filter(({ command }) => command !== '')
}

/** The process may belong to another user or have ended. @param {string} path */
function readOr(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Kills all processes that have a marker.
 *
 * @param {string} mark
 * @returns {string[]} the killed processes
 */
export function endMarked(mark) {
  return markedProcesses(mark).map(({ pid, command }) => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended in the meantime.
    }
    return `${pid} ${command}`
  })
}

/**
 * Kills the processes that a run left behind and returns them. They get a grace period
 * first, since a browser takes some time to close.
 *
 * @param {string} mark
 * @param {number} [patienceMs]
 */
export async function endLeftovers(mark, patienceMs = 3000) {
  const end = performance.now() + patienceMs
  while (markedProcesses(mark).length > 0 && performance.now() < end) await wait(50)
  return endMarked(mark)
}
