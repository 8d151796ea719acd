import type { ts } from 'ts-morph'

/** Replacement of a text range. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * Applies edits that must not overlap. Edits at the same position are applied in list
 * order.
 */
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

/** Returns the edits that remove nodes from a comma-separated list. */
export function removals(
  source: ts.SourceFile,
  list: readonly ts.Node[],
  removed: readonly ts.Node[],
): readonly Edit[] {
  return list.flatMap((node, index): readonly Edit[] => {
    if (!removed.includes(node)) return []
    const isAtEnd = list.slice(index).every((one) => removed.includes(one))
    // Remove one comma too: the following one, or the preceding one at the end of the
    // list.
    if (!isAtEnd) {
      return [{ start: node.getStart(source), end: list[index + 1]!.getStart(source), text: '' }]
    }
    const before = list[index - 1]
    if (!before || removed.includes(before)) return []
    return [{ start: before.getEnd(), end: list.at(-1)!.getEnd(), text: '' }]
  })
}
