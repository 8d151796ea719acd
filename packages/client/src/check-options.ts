import { ConfigError } from './errors.ts'

/**
 * Throws for an unknown option and suggests the closest known one.
 *
 * @throws ConfigError
 */
export function checkOptions(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    throw new ConfigError(`There is no option "${name}" among the ${what}`, {
      help: `Did you mean "${closest(name, known)}"?`,
    })
  }
}

function closest(name: string, known: readonly string[]): string | undefined {
  const edits = (candidate: string): number => distance(name.toLowerCase(), candidate.toLowerCase())
  return [...known].sort((a, b) => edits(a) - edits(b))[0]
}

/** Returns the Levenshtein distance of two strings. */
function distance(from: string, to: string): number {
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
