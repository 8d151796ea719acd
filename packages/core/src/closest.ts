/**
 * Returns the known name that is most similar to `name`, ignoring case; undefined if none
 * is. Names are similar if one contains the other, or if at most a third differs.
 *
 * ```ts
 * findClosest('langauges', ['languages', 'modules']) // 'languages'
 * ```
 */
export function findClosest(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase()
  const limit = wanted.length < 3 ? 1 : Math.max(2, Math.floor(wanted.length / 3))
  let closest: string | undefined
  let fewest = Infinity
  for (const candidate of known) {
    const other = candidate.toLowerCase()
    const [shorter, longer] = wanted.length < other.length ? [wanted, other] : [other, wanted]
    const isContained = shorter.length > 2 && longer.includes(shorter)
    // The difference in length is the smallest possible number of edits.
    if (!isContained && longer.length - shorter.length > limit) continue
    const edits = countEdits(wanted, other)
    if (edits < fewest && (isContained || edits <= limit)) [closest, fewest] = [candidate, edits]
  }
  return closest
}

/**
 * Formats the message for an unknown name: `Unknown option "langauges". Did you mean
 * "languages"?`, or the list of known names if none is similar.
 *
 * @param kind Noun for the name, such as `option`.
 */
export function unknownName(kind: string, name: string, known: readonly string[]): string {
  const closest = findClosest(name, known)
  if (closest === undefined) return listNames(kind, name, known)
  return `Unknown ${kind} "${name}". Did you mean "${closest}"?`
}

/** Formats the message for an unknown name with all known ones; see {@link unknownName}. */
export const listNames = (kind: string, name: string, known: readonly string[]): string =>
  `Unknown ${kind} "${name}". Known ${kind}s: ${known.join(', ')}.`

/** Returns the Levenshtein distance of two strings. */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let above = 0; above < from.length; above++) {
    const next = [above + 1]
    for (let index = 0; index < to.length; index++) {
      const replaced = row[index]! + (from[above] === to[index] ? 0 : 1)
      next.push(Math.min(next[index]! + 1, row[index + 1]! + 1, replaced))
    }
    row = next
  }
  return row[to.length]!
}
