import type { ts } from 'ts-morph'
import type { ReadFile } from './read-file.ts'

/** Words by which a text is asked for, whatever is imported. */
const words = ['t', '$t', '$_', 'import', 'require', 'i18nKey', 'i18n', 'i18next']

/**
 * Tells of a part of a file whether anything in it can ask for a text: whether it
 * mentions what was imported, or what is made of that. Most parts do not, and need
 * not be walked through.
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
  // What is made of a name that is followed has to be followed, too.
  for (let size = -1; size !== names.size;) {
    size = names.size
    places = placesOf(source.text, names)
    for (const { name, start, end } of made) if (isMentioned(start, end)) names.add(name)
  }
  return (node) => isMentioned(node.pos, node.end)
}

/** Where names stand in a text, in strings and comments too, in order. */
function placesOf(text: string, names: ReadonlySet<string>): readonly number[] {
  const places: number[] = []
  for (const match of text.matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)) {
    if (names.has(match[0])) places.push(match.index)
  }
  return places
}
