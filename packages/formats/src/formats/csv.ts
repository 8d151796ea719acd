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
export const readCsv = (
  text: string,
  path: string,
  options: { readonly languages: readonly string[]; readonly columns: ColumnRoles },
): FileContent => entriesOfTable(readCsvRows(text, path), { path, ...options })

/**
 * Reads the rows of a CSV file, like {@link readCsv}.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export function readCsvRows(text: string, path: string): readonly TableRow[] {
  const [declaration, separator] = /^\uFEFF?sep=(.)\r?\n/.exec(text) ?? ['']
  const body = text.slice(declaration.length).replace(/^\uFEFF/, '')
  const firstLine = declaration === '' ? 1 : 2
  const { data, errors } = Papa.parse<string[]>(body, {
    delimiter: separator ?? separatorOf(body),
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
  const columns = data[0]?.length ?? 0
  const longer = rows.find(({ cells }) => cells.slice(columns).some((cell) => cell.trim() !== ''))
  if (longer) {
    throw invalidFile(path, 'a row has more cells than the first row', {
      line: longer.line,
      help: 'Put quotes around a text that contains the separator of the columns.',
    })
  }
  return rows
}

/** Returns the separator that divides the first row into most columns. Texts contain others. */
function separatorOf(body: string): string {
  const columns = (delimiter: string): number =>
    Papa.parse<string[]>(body, { delimiter, preview: 1 }).data[0]?.length ?? 0
  return [';', '\t', '|'].reduce((best, one) => (columns(one) > columns(best) ? one : best), ',')
}

/** Splits text that was copied in a spreadsheet into its cells. */
export const parseCells = (text: string): readonly (readonly string[])[] =>
  Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t' }).data

/** Writes rows of cells. A byte order mark makes spreadsheets read them as UTF-8. */
export const writeCsvRows = (rows: readonly (readonly string[])[]): string => {
  const safe = rows.map((row) => row.map(escapeFormula))
  return `\uFEFF${Papa.unparse(safe, { newline: '\r\n' })}\r\n`
}

/** Writes one file with a column for each language. */
export const writeCsv = (input: WriteInput): readonly OutputFile[] => [
  { path: 'translations.csv', content: writeCsvRows(tableOf(input)) },
]
