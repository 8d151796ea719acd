import { fileURLToPath } from 'node:url'
import { startChild } from './child-process.mjs'

/**
 * Measurements of a separate process.
 *
 * @template T
 * @typedef {object} Measured
 * @property {number} seconds duration of the work alone, after Node started and modules were imported
 * @property {number} peakMb peak memory of the whole process in MiB, including Node
 * @property {T} result the value that the work returned
 */

const main = fileURLToPath(new URL('./contender-process.mjs', import.meta.url))

/**
 * Runs a contender in a fresh process, so that compiled code and memory of an earlier run
 * neither help nor slow it down.
 *
 * @template [T=unknown]
 * @param {string} contender file in `contenders/` without extension; its `prepare` gets `input`
 * @param {object} input plain data
 * @param {{ cwd?: string }} [options]
 * @returns {Promise<Measured<T>>}
 * @throws {Error} with the output of the process, if it failed
 */
export async function runContender(contender, input, options = {}) {
  const url = new URL(`../contenders/${contender}.mjs`, import.meta.url).href
  const child = startChild(main, { ...options, args: [url] })
  const measured = await child.ask(input)
  await child.closed
  return measured
}
