import { join } from 'node:path'
import { readJson } from './root.mjs'

/**
 * @typedef {object} Installed
 * @property {string} path folder below the project, such as `node_modules/zod`
 * @property {string} name
 * @property {string} version
 * @property {string} licence expression of SPDX, or `unknown`
 * @property {boolean} hasInstallScript
 */

/** Licences that do not restrict programs that use a package. */
const permissive = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/**
 * Lists the packages that npm installed in a project, sorted by folder.
 *
 * @param {string} folder of the project
 * @returns {readonly Installed[]}
 */
export function listInstalled(folder) {
  const { packages } = readJson(join(folder, 'node_modules/.package-lock.json'))
  return Object.entries(packages).map(([path, { version, hasInstallScript = false }]) => {
    const { name, license, licenses } = readJson(join(folder, path, 'package.json'))
    const given = license ?? licenses?.map((/** @type {{ type: string }} */ one) => one.type)
    const licence = typeof given === 'object' && given.type ? given.type : given
    const text = Array.isArray(licence) ? licence.join(' OR ') : (licence ?? 'unknown')
    return { path, name, version, licence: text, hasInstallScript }
  })
}

/**
 * Returns true if one of the licences of an expression may be used, or all of those that are
 * joined by AND.
 *
 * @param {string} expression of SPDX, without nested parentheses
 * @returns {boolean}
 */
export const isPermissive = (expression) =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((all) => all.split(' AND ').every((one) => permissive.has(one.trim())))

/**
 * Formats a list of packages and their licences as Markdown.
 *
 * @param {readonly Installed[]} installed
 */
export function formatLicences(installed) {
  const rows = installed.map(
    ({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`,
  )
  const table = ['| package | version | licence |', '| --- | --- | --- |', ...new Set(rows)]
  return `# Licences\n\n${table.join('\n')}\n`
}
