/** Words of a text without parameters and tags. */
const wordsOf = (text: string): readonly string[] =>
  text.replaceAll(/\{\{?[^{}]*\}\}?|<[^<>]*>/g, ' ').match(/\p{L}[\p{L}\p{M}'’-]+/gu) ?? []

/** en-GB may have the same texts as en-US. */
export const isRelated = (language: string, other: string): boolean =>
  language.split('-', 1)[0] === other.split('-', 1)[0]

/**
 * Returns whether a translation is probably a copy of its source text. A single word is often the
 * same in two languages (Status, Online), as are names. Several words rarely are.
 *
 * @param kept terms in lower case that stay untranslated.
 */
export function isProbablyCopied(
  source: string,
  text: string,
  kept: ReadonlySet<string> = new Set(),
): boolean {
  if (text !== source) return false
  const words = wordsOf(text).filter((one) => !kept.has(one.toLowerCase()))
  const isName = words.every((one) => /^\p{Lu}/u.test(one)) && words.length < 4
  return !(words.length < 2 || isName || kept.has(text.trim().toLowerCase()))
}
