import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to the environment; undefined removes
 * @property {boolean} [stream] shows the output instead of returning it
 *
 * @typedef {object} RunResult
 * @property {number} code exit code; 1 after a signal, 127 if it could not be started
 * @property {string} output standard output and error, in the order of their arrival
 */

const isWindows = process.platform === 'win32'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM')
})

/**
 * Runs a program until it exits. A program that is still running when this process exits is
 * terminated.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<RunResult>}
 */
export function run(command, args, { cwd, env, stream = false } = {}) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const chunks = []
    const child = spawn(command, [...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: stream ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      // On Windows, npm and npx are .cmd files, which require a shell.
      shell: isWindows && !command.endsWith('.exe'),
    })
    running.add(child)
    child.stdout?.on('data', (chunk) => chunks.push(chunk))
    child.stderr?.on('data', (chunk) => chunks.push(chunk))
    /** @param {number} code @param {string} [extra] */
    const finish = (code, extra = '') => {
      running.delete(child)
      const text = Buffer.concat(chunks).toString('utf8') + extra
      resolve({ code, output: stripVTControlCharacters(text) })
    }
    child.on('error', (error) => finish(127, `${command}: ${error.message}\n`))
    child.on('close', (code, signal) =>
      finish(code ?? 1, signal ? `${command} was terminated by ${signal}\n` : ''),
    )
  })
}

/**
 * Runs a script with the current Node.
 *
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 */
export const runNode = (args, options) => run(process.execPath, args, options)

/**
 * Runs the body of a command and exits with the code it returns. A signal exits immediately
 * and terminates every program that `run` started.
 *
 * @param {() => Promise<number>} body
 */
export async function runMain(body) {
  const signals = /** @type {const} */ ({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })
  for (const [signal, code] of Object.entries(signals))
    process.once(signal, () => process.exit(code))
  process.exitCode = await body()
}
