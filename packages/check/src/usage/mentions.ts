import type { ts } from 'ts-morph'
import type { ReadFile } from './read-file.ts'

/** Identifiers that may use a message without any import. */
const words = ['t', '$t', '$_', 'import', 'require', 'i18nKey', 'i18n', 'i18next']

/**
 * Returns a predicate that tells whether a node may use a message: it mentions an
 * imported name, or a name derived from one. Most nodes do not and can be skipped.
 */
export function mentionsIn(
  { source, importedNames, made }: ReadFile,
  hooks: readonly string[],
): (node: ts.Node) => boolean {
  const names = new Set([...words, ...importedNames, ...hooks])
  let places: readonly number[] = []
  const isMentioned = (start: number, end: number): boolean => {
    let [low, high] = [0, places.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (places[middle]! < start) low = middle + 1
      else high = middle
    }
    return low < places.length && places[low]! < end
  }
  // Names derived from followed names are followed too.
  for (let size = -1; size !== names.size;) {
    size = names.size
    places = placesOf(source.text, names)
    for (const { name, start, end } of made) if (isMentioned(start, end)) names.add(name)
  }
  return (node) => isMentioned(node.pos, node.end)
}

/** Returns the sorted positions of names in a text, including strings and comments. */
function placesOf(text: string, names: ReadonlySet<string>): readonly number[] {
  const places: number[] = []
  for (const match of text.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    if (names.has(match[0])) places.push(match.index)
  }
  return places
}
