/** Cell of the grid. Column 0 has the keys. */
export interface GridPosition {
  readonly row: number
  readonly column: number
}

/** Number of rows that Page Up and Page Down move by. */
const pageRows = 10

/** Returns the cell that a key moves to; undefined for other keys. */
export function nextPosition(
  { row, column }: GridPosition,
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  isRightToLeft: boolean,
): GridPosition | undefined {
  const forward = isRightToLeft ? -1 : 1
  const to = (nextRow: number, nextColumn: number): GridPosition => ({
    row: Math.max(0, Math.min(nextRow, rows - 1)),
    column: Math.max(0, Math.min(nextColumn, columns - 1)),
  })
  switch (key) {
    case 'ArrowDown':
      return to(row + 1, column)
    case 'ArrowUp':
      return to(row - 1, column)
    case 'ArrowRight':
      return to(row, column + forward)
    case 'ArrowLeft':
      return to(row, column - forward)
    case 'PageDown':
      return to(row + pageRows, column)
    case 'PageUp':
      return to(row - pageRows, column)
    case 'Home':
      return ctrlKey ? to(0, 0) : to(row, 0)
    case 'End':
      return ctrlKey ? to(rows - 1, columns - 1) : to(row, columns - 1)
    default:
      return undefined
  }
}

/** Returns the next cell that fulfils a condition, line by line, and again from the start. */
export function nextCell(
  { row, column }: GridPosition,
  { rows, columns }: { readonly rows: number; readonly columns: number },
  fulfils: (position: GridPosition) => boolean,
): GridPosition | undefined {
  const count = rows * columns
  const start = row * columns + column
  for (let step = 1; step <= count; step++) {
    const index = (start + step) % count
    const position = { row: Math.floor(index / columns), column: index % columns }
    if (fulfils(position)) return position
  }
  return undefined
}
