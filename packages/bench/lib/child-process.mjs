import { fork } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from './temporary-folder.mjs'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Process that replies to messages, one at a time.
 *
 * @typedef {object} Child
 * @property {number} pid
 * @property {(message: any) => Promise<any>} ask sends a message and resolves with the reply
 * @property {Promise<void>} closed resolves when the process has ended
 * @property {() => Promise<void>} stop
 */

/**
 * Starts a module in a separate process, which ends with this one at the latest.
 *
 * @param {string} file
 * @param {{ args?: readonly string[], cwd?: string }} [options]
 * @returns {Child}
 */
export function startChild(file, { args = [], cwd = process.cwd() } = {}) {
  // Files that a killed process leaves behind are removed with this process's own.
  const temporary = temporaryFolder()
  const child = fork(file, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    cwd,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      TMPDIR: temporary,
      TEMP: temporary,
      TMP: temporary,
    },
  })
  running.add(child)
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const closed = once(child, 'close').then(() => void running.delete(child))
  const failed = closed.then(() => {
    const command = [file, ...args].join(' ')
    throw new Error(`${command} exited with ${child.exitCode}:\n${output.trimEnd()}`)
  })
  failed.catch(() => {})
  return {
    pid: child.pid ?? 0,
    async ask(message) {
      child.send(message)
      const [reply] = await Promise.race([once(child, 'message'), failed])
      if (reply.failure) throw new Error(reply.failure)
      return reply
    },
    closed,
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}
