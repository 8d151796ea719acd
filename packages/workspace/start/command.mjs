import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../lib/root.mjs'
import { runNode } from '../lib/run.mjs'

/** Built command line, which runs in a separate process as it does for users. */
const script = join(root, 'packages/cli/bin/servicekit.js')

/**
 * Runs a command to completion and parses the one line of JSON that it prints.
 *
 * @param {readonly string[]} args
 * @param {import('../lib/run.mjs').RunOptions} options
 * @returns {Promise<any>}
 * @throws {Error} with the command's output, when it failed
 */
export async function servicekit(args, options) {
  const { code, output } = await runNode([script, ...args, '--json'], options)
  if (code !== 0) throw new Error(`servicekit ${args.join(' ')} ended with ${code}\n${output}`)
  return JSON.parse(output.slice(output.indexOf('{')))
}

/**
 * Starts the local platform and waits until it is ready.
 *
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<{ baseUrl: string, projectKey: string, stop: () => Promise<void> }>}
 */
export async function startPlatform(args, cwd) {
  const child = spawn(process.execPath, [script, 'dev', ...args, '--json'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Also if this process is terminated in the middle of a step.
  process.once('exit', () => child.kill('SIGTERM'))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const lines = createInterface({ input: child.stdout })
  const line = await Promise.race([
    new Promise((resolve) => lines.once('line', resolve)),
    ended.then((code) => {
      throw new Error(`The platform ended with ${code} before it was ready; it says why above`)
    }),
  ])
  return {
    ...JSON.parse(line),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
