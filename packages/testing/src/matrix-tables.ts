import { readFileSync } from 'node:fs'

/** Row of a table of docs/operations/access.md: its name, and a cell for each caller. */
export interface MatrixRow {
  readonly name: string
  readonly cells: Readonly<Record<string, string>>
}

/** Reads the table that follows a marker such as `<!-- operations -->` in docs/operations/access.md. */
export function readMatrix(marker: string): readonly MatrixRow[] {
  const text = readFileSync(new URL('../../../docs/operations/access.md', import.meta.url), 'utf8')
  const [, rest] = text.split(`<!-- ${marker} -->\n`)
  if (rest === undefined) throw new Error(`docs/operations/access.md has no table ${marker}`)
  const [head, , ...rows] = rest
    .trimStart()
    .split('\n')
    .slice(0, rest.trimStart().split('\n').indexOf(''))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
  return rows.map(([name, ...cells]) => ({
    name: name!,
    cells: Object.fromEntries(cells.map((cell, index) => [head![index + 1]!, cell])),
  }))
}
