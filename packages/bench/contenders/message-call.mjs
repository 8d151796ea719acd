import { pathToFileURL } from 'node:url'

/**
 * Calls the messages of a bundled program repeatedly.
 *
 * @param {{ bundle: string, loop: 'runPlain' | 'runParam', calls: number }} input
 */
export async function prepare({ bundle, loop, calls }) {
  const program = await import(pathToFileURL(bundle).href)
  const run = /** @type {(calls: number) => number} */ (program[loop])
  run(calls / 4)
  return () => ({ characters: run(calls) })
}
