import type { KeyRecord } from '../state/records.ts'
import { cellOf, createFormCheck, type NoPlural, shownText, valueOf } from './key-values.ts'
import { type GridPosition, nextCell } from './next-position.ts'

/**
 * Creates a function that finds the next missing translation. The cell that it starts at counts
 * unless it was found before: Enter moves the focus on to a cell that nobody has seen yet.
 *
 * @param allRows returns all keys of the project.
 * @param noPlural returns the option of the application, if it is known.
 */
export function createNextMissing(
  allRows: () => readonly KeyRecord[],
  noPlural: () => NoPlural | undefined = () => undefined,
) {
  let found: string | undefined
  return (
    rows: readonly KeyRecord[],
    languages: readonly string[],
    start: GridPosition,
  ): GridPosition | undefined => {
    const isFormUnused = createFormCheck(allRows(), noPlural())
    const cellAt = ({ row, column }: GridPosition): string | undefined => {
      const [record, language] = [rows[row], languages[column - 1]]
      return record && language !== undefined ? cellOf(record, language) : undefined
    }
    const isMissing = ({ row, column }: GridPosition): boolean => {
      const [record, language] = [rows[row]!, languages[column - 1]]
      if (language === undefined || record.isRemoved || isFormUnused(record, language)) return false
      return shownText(valueOf(record, language)) === ''
    }
    const isNew = cellAt(start) !== found && rows[start.row] !== undefined && isMissing(start)
    const size = { rows: rows.length, columns: languages.length + 1 }
    const next = isNew ? start : nextCell(start, size, isMissing)
    found = next && cellAt(next)
    return next
  }
}
