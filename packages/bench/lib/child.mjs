import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary.mjs'

/**
 * Measurements of a separate process.
 *
 * @template T
 * @typedef {object} Measured
 * @property {number} seconds duration of the work alone, after Node started and modules were imported
 * @property {number} peakMb peak memory of the whole process in MiB, including Node
 * @property {T} result the value that the work returned
 */

const main = fileURLToPath(new URL('./child-main.mjs', import.meta.url))

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/**
 * Runs a contender in a fresh process, so that compiled code and memory of an earlier run
 * neither help nor slow it down.
 *
 * @template [T=unknown]
 * @param {string} contender file below `contenders/` without extension; its `prepare` gets `input`
 * @param {object} input plain data
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<Measured<T>>}
 * @throws {Error} with the output of the process, when it failed
 */
export function runContender(contender, input, { cwd } = {}) {
  const url = new URL(`../contenders/${contender}.mjs`, import.meta.url).href
  // Files that a killed process leaves behind are removed with this process's own.
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
