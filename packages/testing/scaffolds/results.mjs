import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, 'results.json')

/**
 * @typedef {object} ScaffoldFacts
 * @property {string} name
 * @property {readonly string[]} versions of the packages that it got
 * @property {number} commands from an empty folder, or from its files, to a page with a message
 *
 * @typedef {ScaffoldFacts & import('./visit.mjs').Visit} Result
 */

/** @returns {readonly Result[]} results of the last runs, by name */
export const readResults = () => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [])

/** Replaces the result of a scaffold. @param {Result} result */
export function saveResult(result) {
  const others = readResults().filter(({ name }) => name !== result.name)
  const all = [...others, result].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  writeFileSync(path, `${JSON.stringify(all, undefined, 2)}\n`)
}

const columns = [
  'project',
  'versions',
  'commands',
  'first page',
  'after navigation',
  'after reload',
  'warnings',
  'foreign texts',
  'unused texts',
]

/** Columns of numbers, which are aligned to the right. */
const numbers = new Set(['commands', 'warnings', 'foreign texts', 'unused texts'])

/** @returns {string} results as a Markdown table, aligned as the formatter does */
export function resultTable() {
  const rows = readResults().map(rowOf)
  const widths = columns.map((name, index) =>
    Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
  const lines = [columns, ...rows].map((row) =>
    row.map((text, index) => {
      const width = widths[index] ?? 0
      return isNumber(index) ? text.padStart(width) : text.padEnd(width)
    }),
  )
  const rule = widths.map((width, index) =>
    isNumber(index) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  const [head = [], ...others] = lines
  return `${[head, rule, ...others].map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`
}

const isNumber = (/** @type {number} */ index) => numbers.has(columns[index] ?? '')

/** @param {Result} result @returns {readonly string[]} */
const rowOf = (result) => [
  result.name,
  result.versions.join(', '),
  String(result.commands),
  ...[result.first, result.navigated, result.reloaded].map((languages) => languages.join(', ')),
  String(result.warnings),
  String(result.foreignTexts),
  String(result.unusedTexts),
]
