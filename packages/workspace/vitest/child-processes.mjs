import { existsSync, readdirSync, readFileSync } from 'node:fs'

/**
 * @typedef {object} ChildProcess
 * @property {number} pid
 * @property {number} parent process id
 * @property {string} state letter of /proc/PID/stat: R runs, S sleeps, T is stopped, Z has ended
 * @property {string} command
 */

/**
 * Returns the processes below a process, parents before children. Empty on systems without
 * `/proc`.
 *
 * @param {number} pid
 * @returns {ChildProcess[]}
 */
export function childProcesses(pid) {
  if (!existsSync('/proc/self/stat')) return []
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)))
  const found = all.filter(({ parent }) => parent === pid)
  for (const process of found) found.push(...all.filter(({ parent }) => parent === process.pid))
  return found
}

/** Returns nothing for a process that has ended. @param {number} pid @returns {ChildProcess[]} */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain anything.
    const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return [{ pid, parent: Number(parent), state, command }]
  } catch {
    return []
  }
}
