import type { ts } from 'ts-morph'

/** A part of a text and what takes its place. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Applies edits that do not overlap; of two at one place the first in the list goes first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < at) throw new TypeError('Two edits overlap')
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** Edits that remove some nodes of a list that commas separate; others stay. */
export function removals(
  source: ts.SourceFile,
  list: readonly ts.Node[],
  removed: readonly ts.Node[],
): readonly Edit[] {
  return list.flatMap((node, index): readonly Edit[] => {
    if (!removed.includes(node)) return []
    const isAtEnd = list.slice(index).every((one) => removed.includes(one))
    // A comma goes with it: the one after, and at the end the one before.
    if (!isAtEnd) {
      return [{ start: node.getStart(source), end: list[index + 1]!.getStart(source), text: '' }]
    }
    const before = list[index - 1]
    if (!before || removed.includes(before)) return []
    return [{ start: before.getEnd(), end: list.at(-1)!.getEnd(), text: '' }]
  })
}
