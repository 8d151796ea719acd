import Papa from 'papaparse'
import type { KeyRecord } from '../state/records.ts'
import type { ImportedTranslation } from './bulk-edits.ts'
import { ImportError } from './import-error.ts'
import { shownText, valueOf } from './key-values.ts'

const [moduleColumn, keyColumn] = ['module', 'key']

/**
 * A spreadsheet would run a cell that begins with one of these characters as a formula, so that
 * such a cell, and one that looks as if this was done already, begins with an apostrophe.
 */
const formula = /^'*[=+\-@\t\r]/

/**
 * Formats keys as CSV with the columns `module`, `key` and one of each language. A byte order
 * mark makes spreadsheets read it as UTF-8.
 */
export function formatCsv(rows: readonly KeyRecord[], languages: readonly string[]): string {
  const lines = rows.map((row) => [
    row.module,
    row.key,
    ...languages.map((code) => escapeFormula(shownText(valueOf(row, code)))),
  ])
  const table = [[moduleColumn, keyColumn, ...languages], ...lines]
  return `\uFEFF${Papa.unparse(table, { newline: '\r\n' })}\r\n`
}

const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)
const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text

/** Splits text that was copied in a spreadsheet into its cells. */
export const parseCells = (text: string): readonly (readonly string[])[] =>
  Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' }).data

/**
 * Reads CSV as {@link formatCsv} writes it, also with semicolons or tabs between the columns.
 *
 * @throws ImportError that names the missing column, or the line that cannot be read.
 */
export function parseCsv(text: string): readonly ImportedTranslation[] {
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
  })
  const failure = errors.find(({ type }) => type === 'Quotes')
  if (failure) throw new ImportError('csvLine', String((failure.row ?? 0) + 1))
  const [header = [], ...lines] = data
  const names = header.map((name) => name.trim())
  const [module, key] = [moduleColumn, keyColumn].map((name) => {
    const index = names.indexOf(name!)
    if (index < 0) throw new ImportError('csvColumn', name)
    return index
  }) as [number, number]
  return lines.flatMap((line) =>
    names.flatMap((language, column) => {
      const value = line[column]
      if (column === module || column === key || language === '' || value === undefined) return []
      const name = { module: line[module] ?? '', key: line[key] ?? '' }
      return [{ ...name, language, value: unescapeFormula(value) }]
    }),
  )
}
