import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const path = join(import.meta.dirname, 'results.json')

/**
 * @typedef {object} ScaffoldFacts
 * @property {string} name
 * @property {boolean} isCreated by a scaffolder; otherwise from the files that its documentation shows
 * @property {readonly string[]} versions of the packages that it got
 * @property {number} commands from an empty folder to a page with a message
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

/** @returns {string} results as a Markdown table */
export const resultTable = () =>
  `${[
    '| project | versions | commands | first page | after navigation | after reload | warnings | foreign texts | unused texts |',
    '| --- | --- | --: | --- | --- | --- | --: | --: | --: |',
    ...readResults().map(rowOf),
  ].join('\n')}\n`

/** @param {Result} result */
const rowOf = (result) =>
  `| ${[
    result.name,
    result.versions.join(', '),
    result.isCreated ? result.commands : `${result.commands}, files by hand`,
    ...[result.first, result.navigated, result.reloaded].map((languages) => languages.join(', ')),
    result.warnings,
    result.foreignTexts,
    result.unusedTexts,
  ].join(' | ')} |`
