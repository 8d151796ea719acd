import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, readJson, root } from './root.mjs'

/**
 * @typedef {object} Package
 * @property {string} folder the folder's name, as `client`
 * @property {string} name as `@servicekit/client`
 * @property {string} path the absolute folder
 * @property {boolean} isPublic
 * @property {Record<string, any>} manifest its package.json
 */

/** Dependency fields whose packages are there when a user installs the package. */
export const installedFields = ['dependencies', 'peerDependencies', 'optionalDependencies']

/**
 * Which packages each package may import: those named and all that they may
 * import. The only place where the order is written down; the import check and
 * the build order both read it.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const layers = {
  contract: [],
  client: ['contract'],
  catalog: ['client'],
  unplugin: ['catalog'],
  codegen: ['client'],
  platform: ['contract'],
  console: ['client'],
  cli: ['unplugin', 'codegen', 'platform'],
  bench: ['cli'],
  workspace: [],
}

/**
 * Everything below a package in the order of imports.
 *
 * @param {string} folder
 * @param {Readonly<Record<string, readonly string[]>>} [order]
 * @returns {Set<string>}
 */
export function below(folder, order = layers) {
  const found = new Set(order[folder] ?? [])
  // A Set's iterator also visits what is added on the way.
  for (const next of found) for (const deeper of order[next] ?? []) found.add(deeper)
  return found
}

/** Every package of the repository, in the order of their folders' names. @returns {Package[]} */
export function readPackages() {
  return readFolder('packages')
}

/** The sample applications, which are packages of the workspace too. @returns {Package[]} */
export function readApps() {
  return readFolder('fixtures/apps').map((app) => ({ ...app, isPublic: false }))
}

/** @param {string} parent @returns {Package[]} */
function readFolder(parent) {
  if (!existsSync(join(root, parent))) return []
  return readdirSync(join(root, parent))
    .filter((folder) => existsSync(join(root, parent, folder, 'package.json')))
    .sort()
    .map((folder) => {
      const path = join(root, parent, folder)
      const manifest = readJson(join(path, 'package.json'))
      return { folder, name: manifest.name, path, isPublic: manifest.private !== true, manifest }
    })
}

/** Whether anything was written in a package yet. @param {Package} item */
export function hasSources(item) {
  return listFiles(join(item.path, 'src')).some((file) => /\.tsx?$/.test(file))
}

/**
 * The packages that must be built before a package: those that it declares, in
 * any field, as far as they are below it. A package above it is a test's.
 *
 * @param {Package} item
 * @param {readonly Package[]} packages
 * @returns {Package[]}
 */
export function buildsAfter(item, packages) {
  const lower = below(item.folder)
  const declared = new Set(
    [...installedFields, 'devDependencies'].flatMap((field) =>
      Object.keys(item.manifest[field] ?? {}),
    ),
  )
  return packages.filter((other) => lower.has(other.folder) && declared.has(other.name))
}

/**
 * The entries that a user can import: `.` and subpaths, without package.json.
 *
 * @param {Record<string, any>} manifest
 * @returns {string[]}
 */
export function entryPoints(manifest) {
  return Object.keys(manifest.exports ?? {}).filter((entry) => !entry.endsWith('.json'))
}
