import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// They have a lockfile of their own.
const require = createRequire(new URL('../projects/runtimes/package.json', import.meta.url))
const isWindows = process.platform === 'win32'
const exe = isWindows ? '.exe' : ''

/**
 * Runtimes that the client is tested on, in addition to browsers. Their programs come from
 * platform-specific npm packages, so that no install script downloads anything. If a
 * runtime has no package for a system, it is missing.
 */
const programs = {
  'Node 20': () => nodeProgram('20'),
  'Node 22': () => nodeProgram('22'),
  'Node 24': () => nodeProgram('24'),
  Bun: () => {
    const system = { win32: 'windows' }[/** @type {string} */ (process.platform)]
    const arch = process.arch === 'arm64' ? 'aarch64' : process.arch
    const name = `@oven/bun-${system ?? process.platform}-${arch}`
    return partOf('bun', [name, `${name}-musl`], `bin/bun${exe}`)
  },
  Deno: () => {
    const name = `@deno/${process.platform}-${process.arch}`
    return partOf('deno', [name, `${name}-glibc`], `deno${exe}`)
  },
  workerd: () => {
    const system = { win32: 'windows' }[/** @type {string} */ (process.platform)]
    const arch = process.arch === 'arm64' ? 'arm64' : '64'
    const name = `@cloudflare/workerd-${system ?? process.platform}-${arch}`
    return partOf('workerd', [name], `bin/workerd${exe}`)
  },
}

/** @type {typeof import('./runtimes.d.mts').runtimeNames} */
export const runtimeNames = /** @type {any} */ (Object.keys(programs))

/** @type {typeof import('./runtimes.d.mts').findRuntime} */
export const findRuntime = (name) => {
  const path = programs[name]()
  return path !== undefined && existsSync(path) ? path : undefined
}

const thisMachine = { env: process.env, find: findRuntime }

/** @type {typeof import('./runtimes.d.mts').isRuntimeMissing} */
export const isRuntimeMissing = (name, { env, find } = thisMachine) => {
  const isMissing = find(name) === undefined
  // Node 20 is available only if the tests themselves run on it.
  if (isMissing && name !== 'Node 20' && env['CI'] === 'true')
    throw new Error(`no ${name} on this machine`)
  return isMissing
}

/** @param {string} major */
function nodeProgram(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const name = `node-${major}-${process.platform}-${process.arch}`
  return folderOf(name, require, `bin/node${exe}`)
}

/**
 * Returns a file of the first available package among the platform-specific dependencies of
 * another package.
 *
 * @param {string} name
 * @param {readonly string[]} parts
 * @param {string} file
 */
function partOf(name, parts, file) {
  const main = folderOf(name, require, 'package.json')
  if (!main) return undefined
  // Dependencies are installed beside the real package, not beside a link to it.
  const from = createRequire(realpathSync(main))
  return parts.map((part) => folderOf(part, from, file)).find((path) => path !== undefined)
}

/**
 * @param {string} name
 * @param {NodeJS.Require} from
 * @param {string} file
 */
function folderOf(name, from, file) {
  // Exports may hide the manifest, so look for it where it would be.
  const folder = (from.resolve.paths(name) ?? [])
    .map((path) => join(path, name))
    .find((path) => existsSync(join(path, 'package.json')))
  return folder && join(folder, file)
}
