import { createHash } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Root folder of the repository, without a trailing slash. */
export const root = join(import.meta.dirname, '../../..')

/** Folder for state and reports that the commands keep between runs. Safe to delete. */
export const cacheFolder = join(root, 'node_modules/.cache/servicekit')

/** @param {string} path @returns {any} */
export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** Package manager that writes the lockfile, as `pnpm@10.34.9`. */
export const pnpm = readJson(join(root, 'package.json')).packageManager

/** @param {readonly (string | Uint8Array)[]} parts */
export function hash(parts) {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex')
}

/**
 * Returns the script behind a tool's command, which then starts without a shell.
 *
 * @param {string} name npm package
 * @param {{ command?: string, from?: string }} [options] `command` if it differs from the package's name; `from` is the folder whose dependency it is
 */
export function toolScript(name, { command = name, from = root } = {}) {
  const folder = join(from, 'node_modules', name)
  const { bin } = readJson(join(folder, 'package.json'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/**
 * Returns true if Node was started with this file, and false if the file was imported.
 *
 * @param {string} url `import.meta.url` of the file
 */
export const isMain = (url) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url)
