import { InvalidText, textOf, valueOf } from './field-text.ts'
import type { DataRecord } from './record-query.ts'
import type { RecordField, RecordSchema } from './schema-catalog.ts'

type Row = readonly string[]

/** Row of a file, with the number of its line. */
interface FileRow {
  readonly cells: Row
  readonly line: number
}

/** Text in a line of a file that is no value of its field. */
interface InvalidCell {
  readonly line: number
  readonly field: RecordField
}

/** Returns records as rows of cells, below the names of their fields. */
export const tableOf = (
  { fields }: RecordSchema,
  records: readonly DataRecord[],
): readonly Row[] => [
  fields.map(({ name }) => name),
  ...records.map((record) => fields.map((field) => textOf(field, record[field.name]))),
]

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Returns the name of the field for each column of a file; empty if none has its name. */
export function suggestFields(header: Row, fields: readonly RecordField[]): readonly string[] {
  const free = new Set(fields.filter(({ isInsertable }) => isInsertable))
  return header.map((column) => {
    const found = [...free].find(({ name }) => plain(name) === plain(column))
    if (!found) return ''
    free.delete(found)
    return found.name
  })
}

/** Records of a file, with the lines that they are in. */
export interface TableRecords {
  readonly records: readonly Readonly<Record<string, unknown>>[]
  readonly lines: readonly number[]
  readonly invalid: readonly InvalidCell[]
}

/**
 * Converts the rows of a file to records. An empty cell is no value; an empty row is no record.
 *
 * @param columns name of the field of each column; empty for a column that is ignored.
 */
export function recordsOf(
  rows: readonly FileRow[],
  columns: readonly string[],
  fields: readonly RecordField[],
): TableRecords {
  const byColumn = columns.map((name) => fields.find((field) => field.name === name))
  const lines: number[] = []
  const invalid: InvalidCell[] = []
  const records = rows
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    .map(({ cells, line }) => {
      lines.push(line)
      const values: Record<string, unknown> = {}
      for (const [index, field] of byColumn.entries()) {
        const text = cells[index] ?? ''
        if (!field || text.trim() === '') continue
        try {
          values[field.name] = valueOf(field, text)
        } catch (error) {
          if (!(error instanceof InvalidText)) throw error
          invalid.push({ line, field })
        }
      }
      return values
    })
  return { records, lines, invalid }
}
