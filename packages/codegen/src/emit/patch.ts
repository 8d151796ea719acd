/**
 * Patch from one text to another, line by line: a positive number copies that many lines,
 * a negative number skips lines, a string inserts lines.
 */
export type Patch = readonly (number | string)[]

/** Applies a patch: `patch('a\nb\nc', [1, -1, 'B', 1])` returns `'a\nB\nc'`. */
export function patch(text: string, edits: Patch): string {
  const lines = text.split('\n')
  const result: string[] = []
  let at = 0
  for (const edit of edits) {
    if (typeof edit === 'string') result.push(edit)
    else if (edit < 0) at -= edit
    else result.push(...lines.slice(at, (at += edit)))
  }
  return result.join('\n')
}
