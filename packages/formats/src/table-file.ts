import { decodeText } from './decode-text.ts'
import type { InputFile } from './entry.ts'
import type { TableRow } from './formats/table.ts'

/**
 * Reads the rows of a CSV file, in the encodings and with the separators that spreadsheets write.
 *
 * @throws ServicekitError CATALOG_INVALID
 */
export const readTableFile = async (file: InputFile): Promise<readonly TableRow[]> =>
  (await import('./formats/csv.ts')).readCsvRows(decodeText(file).text, file.path)

/** Writes rows of cells as CSV, which spreadsheets do not run as formulas. */
export const writeTableFile = async (rows: readonly (readonly string[])[]): Promise<string> =>
  (await import('./formats/csv.ts')).writeCsvRows(rows)
