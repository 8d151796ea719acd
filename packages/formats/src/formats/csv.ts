import Papa from 'papaparse'
import type { FileContent, OutputFile, WriteInput } from '../entry.ts'
import { invalidFile } from '../format-errors.ts'
import { type ColumnRoles, entriesOfTable, tableOf, type TableRow } from './table.ts'

/**
 * A spreadsheet would run a cell that begins with one of these characters as a formula, so that
 * such a cell, and one that looks as if this was done already, begins with an apostrophe.
 */
const formula = /^'*[=+\-@\t\r]/

const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text)
const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text

/**
 * Reads CSV with commas, semicolons, tabs or bars between the columns, or with the separator that
 * its first line names as `sep=;`.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readCsv(
  text: string,
  path: string,
  options: { readonly languages: readonly string[]; readonly columns: ColumnRoles },
): FileContent {
  const [declaration, separator] = /^\uFEFF?sep=(.)\r?\n/.exec(text) ?? ['']
  const body = text.slice(declaration.length).replace(/^\uFEFF/, '')
  const firstLine = declaration === '' ? 1 : 2
  const { data, errors } = Papa.parse<string[]>(body, {
    delimitersToGuess: [',', ';', '\t', '|'],
    ...(separator !== undefined && { delimiter: separator }),
  })
  const rows: TableRow[] = []
  let line = firstLine
  for (const cells of data) {
    rows.push({ cells: cells.map(unescapeFormula), line })
    line += 1 + cells.reduce((sum, cell) => sum + (cell.match(/\r\n|\r|\n/g)?.length ?? 0), 0)
  }
  const failure = errors.find(({ type }) => type === 'Quotes')
  if (failure) {
    throw invalidFile(path, 'a cell in quotes is not closed', {
      line: rows[failure.row ?? 0]?.line ?? firstLine,
      help: 'Write a quote inside a cell twice, and a quote at the end of the cell.',
    })
  }
  return entriesOfTable(rows, { path, ...options })
}

/** Splits text that was copied in a spreadsheet into its cells. */
export const parseCells = (text: string): readonly (readonly string[])[] =>
  Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' }).data

/**
 * Writes one file with a column for each language. A byte order mark makes spreadsheets read it as
 * UTF-8.
 */
export const writeCsv = (input: WriteInput): readonly OutputFile[] => {
  const rows = tableOf(input).map((row) => row.map(escapeFormula))
  const content = `\uFEFF${Papa.unparse(rows, { newline: '\r\n' })}\r\n`
  return [{ path: 'translations.csv', content }]
}
