import { readXlsx as readWorkbook, writeXlsx as writeWorkbook } from 'hucre/xlsx'
import type { FileContent, InputFile, OutputFile, WriteInput } from '../entry.ts'
import { invalidFile } from '../format-errors.ts'
import { store, unzip } from '../unzip.ts'
import { type ColumnRoles, entriesOfTable, tableOf, type TableRow } from './table.ts'

/**
 * Reads the first sheet of a workbook.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export async function readXlsx(
  file: InputFile,
  options: { readonly languages: readonly string[]; readonly columns: ColumnRoles },
): Promise<FileContent> {
  // Unpacked here, where the size is limited, and packed without compression for the library.
  const stored = store(unzip(file))
  const { path } = file
  const workbook = await readWorkbook(stored).catch((cause: unknown) => {
    throw invalidFile(path, `it is not a valid workbook: ${(cause as Error).message}`, {
      help: 'Save it again as .xlsx, or as CSV.',
      cause,
    })
  })
  const rows = (workbook.sheets[0]?.rows ?? []).map((cells, index): TableRow => {
    const texts = Array.from(cells, (cell) =>
      cell === null || cell === undefined ? '' : textOf(cell),
    )
    return { cells: texts, line: index + 1 }
  })
  return entriesOfTable(rows, { path, ...options })
}

/** Returns the text of a cell that a spreadsheet may have converted to a number or a date. */
const textOf = (cell: unknown): string =>
  cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)

/** Text that looks like the escape of a character in a workbook. */
const escaped = /_(?=x[\dA-Fa-f]{4}_)/g

/** Escapes what XML cannot contain, and what the library would leave. */
const escapeCell = (text: string): string =>
  text
    .replaceAll(escaped, '_x005F_')
    .replaceAll('\uFFFE', '_xFFFE_')
    .replaceAll('\uFFFF', '_xFFFF_')

/** Writes one workbook with a column for each language. All cells are texts, never formulas. */
export async function writeXlsx(input: WriteInput): Promise<readonly OutputFile[]> {
  const rows = tableOf(input).map((row) => row.map(escapeCell))
  const content = await writeWorkbook({ sheets: [{ name: 'Translations', rows }] })
  return [{ path: 'translations.xlsx', content }]
}
