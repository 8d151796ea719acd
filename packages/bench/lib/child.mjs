import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary.mjs'

/**
 * What a process of its own took.
 *
 * @template T
 * @typedef {object} Measured
 * @property {number} seconds of the work alone: Node has started and modules are imported before
 * @property {number} peakMb most memory that the whole process held, in MiB, Node included
 * @property {T} result what the work answered
 */

const main = fileURLToPath(new URL('./child-main.mjs', import.meta.url))

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Runs a contender in a fresh process, so that neither compiled code nor memory
 * of an earlier run helps or burdens it.
 *
 * @template [T=unknown]
 * @param {string} contender file below `contenders/` without extension; its `prepare` gets `input`
 * @param {object} input plain data
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<Measured<T>>}
 * @throws {Error} with what the process printed, when it failed
 */
export function runContender(contender, input, { cwd } = {}) {
  const url = new URL(`../contenders/${contender}.mjs`, import.meta.url).href
  // What it leaves behind when it is killed goes with our own.
  const temporary = temporaryFolder()
  return new Promise((resolve, reject) => {
    const child = fork(main, [url], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      execArgv: [],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        TMPDIR: temporary,
        TEMP: temporary,
        TMP: temporary,
      },
      ...(cwd === undefined ? {} : { cwd }),
    })
    running.add(child)
    let output = ''
    /** @type {Measured<T> | undefined} */
    let measured
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('message', (message) => (measured = /** @type {Measured<T>} */ (message)))
    child.on('error', reject)
    child.on('close', (code) => {
      running.delete(child)
      if (code === 0 && measured) resolve(measured)
      else reject(new Error(`${contender} ended with ${code}:\n${output.trimEnd()}`))
    })
    child.send(input)
  })
}
