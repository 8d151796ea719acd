import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {Record<string, string | undefined>} [env] added to the environment; undefined removes
 * @property {boolean} [stream] show the output instead of keeping it
 *
 * @typedef {object} RunResult
 * @property {number} code the exit code; 1 where a signal ended it
 * @property {string} output standard output and error, as they came
 *
 * @typedef {object} Runner
 * @property {(command: string, args: readonly string[], options?: RunOptions) => Promise<RunResult>} run
 * @property {(args: readonly string[], options?: RunOptions) => Promise<RunResult>} node runs a script on this Node
 * @property {() => void} stop ends every process that is still running, with its children
 */

const isWindows = process.platform === 'win32'

/**
 * Starts processes and knows which of them are running, so that an interrupted
 * command leaves none behind. Each gets a process group of its own, since tools
 * start workers that must end with them.
 *
 * @param {Record<string, string | undefined>} [environment] set for every process
 * @returns {Runner}
 */
export function createRunner(environment = {}) {
  /** @type {Set<import('node:child_process').ChildProcess>} */
  const running = new Set()

  /** @type {Runner['run']} */
  const run = (command, args, options = {}) =>
    new Promise((resolve) => {
      /** @type {Buffer[]} */
      const chunks = []
      const child = spawn(command, [...args], {
        cwd: options.cwd,
        env: { ...process.env, ...environment, ...options.env },
        stdio: options.stream ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
        detached: !isWindows,
        // npm and npx are .cmd files there, which only a shell starts.
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
      child.on('exit', (code, signal) => {
        const end = () => {
          child.stdout?.destroy()
          child.stderr?.destroy()
          finish(code ?? 1, signal ? `${command} was ended by ${signal}\n` : '')
        }
        child.on('close', end)
        // What it left running may hold its output open for ever.
        setTimeout(end, 2000).unref()
      })
    })

  return {
    run,
    node: (args, options) => run(process.execPath, args, options),
    stop: () => {
      for (const child of running) {
        if (child.pid === undefined) continue
        try {
          process.kill(isWindows ? child.pid : -child.pid, 'SIGTERM')
        } catch {
          // It ended in between.
        }
      }
    },
  }
}

/**
 * Runs a command's body with a runner and ends with the body's exit code; on
 * Ctrl-C or a termination it stops what the runner started first.
 *
 * @param {(runner: Runner) => Promise<number>} body
 * @param {Record<string, string | undefined>} [environment]
 */
export async function runMain(body, environment) {
  const runner = createRunner(environment)
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])) {
    process.once(signal, () => {
      runner.stop()
      process.exit(code)
    })
  }
  process.exitCode = await body(runner)
}
