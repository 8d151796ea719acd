import { fork } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from './temporary.mjs'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Process that replies to messages, one at a time.
 *
 * @typedef {object} Peer
 * @property {number} pid
 * @property {(message: object) => Promise<any>} ask
 * @property {() => Promise<void>} stop
 */

/**
 * @param {string} file
 * @returns {Peer}
 */
export function startPeer(file) {
  const temporary = temporaryFolder()
  const child = fork(file, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: process.env['SERVICEKIT_BENCH_ARGS']?.split(' ') ?? [],
    env: { ...process.env, NODE_ENV: 'production', TMPDIR: temporary },
  })
  running.add(child)
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const ended = once(child, 'close').then(() => {
    running.delete(child)
    throw new Error(`${file} ended:\n${output.trimEnd()}`)
  })
  ended.catch(() => {})
  return {
    pid: child.pid ?? 0,
    ask: async (message) => {
      child.send(message)
      const [answer] = await Promise.race([once(child, 'message'), ended])
      if (answer.failure) throw new Error(answer.failure)
      return answer
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended.catch(() => {})
    },
  }
}
