import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository's root folder, without a trailing slash. */
export const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))))

/** What the commands remember between runs: stamps and reports. Safe to delete. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'servicekit')

/** The one version of pnpm that the lock file was written by. */
export const pnpm = 'pnpm@10.34.9'

/**
 * @param {string} path
 * @returns {any}
 */
export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/**
 * @param {readonly (string | Uint8Array)[]} parts
 */
export function hash(parts) {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex')
}

/** A name in the system's temporary folder that is this checkout's own. @param {string} name */
export function temporaryName(name) {
  return join(tmpdir(), `servicekit-${hash([root]).slice(0, 12)}-${name}`)
}

/**
 * The script behind a tool's command, so that it starts without a shell.
 *
 * @param {string} name the npm package, which must be a dependency of the root
 * @param {string} [command] the command, where it is not the package's name
 */
export function toolScript(name, command = name) {
  const folder = join(root, 'node_modules', name)
  const { bin } = readJson(join(folder, 'package.json'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/**
 * All files below a folder as paths relative to it, with `/`, in code-point order.
 *
 * @param {string} folder
 * @param {(name: string) => boolean} [skip] file and folder names to leave out
 * @returns {string[]}
 */
export function listFiles(folder, skip = () => false) {
  if (!existsSync(folder)) return []
  /** @type {string[]} */
  const found = []
  /** @param {string} prefix */
  const walk = (prefix) => {
    for (const entry of readdirSync(join(folder, prefix), { withFileTypes: true })) {
      if (skip(entry.name)) continue
      if (entry.isDirectory()) walk(`${prefix}${entry.name}/`)
      else if (entry.isFile()) found.push(prefix + entry.name)
    }
  }
  walk('')
  return found.sort()
}
