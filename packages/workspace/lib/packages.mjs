import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readJson, root } from './root.mjs'

/**
 * @typedef {object} Package
 * @property {string} folder name of the folder, as `client`
 * @property {string} name as `@servicekit/client`
 * @property {string} path absolute folder
 * @property {boolean} isPublic
 * @property {Record<string, any>} manifest its package.json
 */

/** Returns the packages of the repository, ordered by folder name. @returns {Package[]} */
export const readPackages = () => readFolder('packages')

/** @param {string} parent @returns {Package[]} */
function readFolder(parent) {
  return readdirSync(join(root, parent))
    .filter((folder) => existsSync(join(root, parent, folder, 'package.json')))
    .sort()
    .map((folder) => {
      const path = join(root, parent, folder)
      const manifest = readJson(join(path, 'package.json'))
      return { folder, name: manifest.name, path, isPublic: manifest.private !== true, manifest }
    })
}

/**
 * Returns the entries that a program can import: `.` and subpaths, without package.json and
 * without components of Svelte, which are published as their source.
 *
 * @param {Record<string, any>} manifest
 * @returns {string[]}
 */
export const entryPoints = (manifest) =>
  Object.keys(manifest.exports ?? {}).filter((entry) => !/\.(?:json|svelte)$/.test(entry))
