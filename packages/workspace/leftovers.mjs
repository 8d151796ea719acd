import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Processes that carry a mark in their environment, as `pid command`. Whatever a
 * run starts inherits its mark, also what left its process group. Only Linux
 * shows the environment of processes; elsewhere none are found.
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

/** A process may be another user's, or have ended. @param {string} path */
function readOr(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Ends the processes that carry a mark, at once.
 *
 * @param {string} mark
 * @returns {string[]} which they were
 */
export function endMarked(mark) {
  return markedProcesses(mark).map(({ pid, command }) => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended at last.
    }
    return `${pid} ${command}`
  })
}

/**
 * Ends the processes that a run left behind and says which they were. They get a
 * moment first, since a browser takes some time to close.
 *
 * @param {string} mark
 * @param {number} [patienceMs]
 */
export async function endLeftovers(mark, patienceMs = 3000) {
  const end = performance.now() + patienceMs
  while (markedProcesses(mark).length > 0 && performance.now() < end) await wait(50)
  return endMarked(mark)
}
