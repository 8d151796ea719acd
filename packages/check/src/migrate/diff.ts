/** Number of context lines around a change. */
const context = 3
/**
 * Maximum size of the table. Larger differences are shown as one change because computing
 * them takes too long.
 */
const largest = 4_000_000

type Line = readonly [sign: ' ' | '-' | '+', text: string]

/** Returns the difference between two texts in unified diff format. */
export function unifiedDiff(file: string, before: string, after: string): string {
  const lines = changes(before.split('\n'), after.split('\n'))
  const changed = lines.flatMap(([sign], index) => (sign === ' ' ? [] : [index]))
  if (changed.length === 0) return ''
  const hunks: (readonly [start: number, end: number])[] = []
  for (const index of changed) {
    const [start, end] = [Math.max(0, index - context), Math.min(lines.length, index + context + 1)]
    const last = hunks.at(-1)
    if (last && start <= last[1]) hunks[hunks.length - 1] = [last[0], end]
    else hunks.push([start, end])
  }
  const text = hunks.map(([start, end]) => {
    const [oldStart, newStart] = [countBefore(lines, start, '+'), countBefore(lines, start, '-')]
    const part = lines.slice(start, end)
    const [oldCount, newCount] = [
      part.filter(([sign]) => sign !== '+').length,
      part.filter(([sign]) => sign !== '-').length,
    ]
    const head = `@@ -${oldStart + 1},${oldCount} +${newStart + 1},${newCount} @@`
    return [head, ...part.map(([sign, line]) => sign + line)].join('\n')
  })
  return `--- a/${file}\n+++ b/${file}\n${text.join('\n')}\n`
}

const countBefore = (lines: readonly Line[], end: number, without: '-' | '+'): number =>
  lines.slice(0, end).filter(([sign]) => sign !== without).length

function changes(before: readonly string[], after: readonly string[]): readonly Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++
  }
  const same = (line: string): Line => [' ', line]
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

/** Returns the changes between two lists of lines, by the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const [rows, columns] = [before.length + 1, after.length + 1]
  if (rows * columns > largest) {
    return [...before.map((line): Line => ['-', line]), ...after.map((line): Line => ['+', line])]
  }
  const table = new Uint32Array(rows * columns)
  for (let row = rows - 2; row >= 0; row--) {
    for (let column = columns - 2; column >= 0; column--) {
      table[row * columns + column] =
        before[row] === after[column]
          ? table[(row + 1) * columns + column + 1]! + 1
          : Math.max(table[(row + 1) * columns + column]!, table[row * columns + column + 1]!)
    }
  }
  const lines: Line[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push([' ', before[row++]!])
      column++
    } else if (
      column >= after.length ||
      (row < before.length &&
        table[(row + 1) * columns + column]! >= table[row * columns + column + 1]!)
    ) {
      lines.push(['-', before[row++]!])
    } else lines.push(['+', after[column++]!])
  }
  return lines
}
