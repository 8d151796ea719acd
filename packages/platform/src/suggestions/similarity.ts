import { distance } from 'fastest-levenshtein'
import { blanked } from './placeholders.ts'

/**
 * Normalizes a text for comparison: ignores case, placeholder names, outer white space and
 * final punctuation.
 */
export const comparable = (text: string): string =>
  blanked(text)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[ .:!?]+$/, '')
    .trimStart()

/**
 * Returns the similarity of two normalized texts, between 0 and 1. Half of it compares characters
 * and half compares whole words: `save` and `safe` differ in one letter but mean different things.
 *
 * @param minimum a similarity below it is returned as 0, which is faster.
 */
export function similarity(a: string, b: string, minimum = 0): number {
  if (a === b) return 1
  const longest = Math.max(a.length, b.length)
  const byWord = sharedWords(a, b)
  const maxByCharacter = Math.min(a.length, b.length) / longest
  if ((maxByCharacter + byWord) / 2 < minimum) return 0
  return (1 - distance(a, b) / longest + byWord) / 2
}

/** Splits a text into words; in languages without spaces, each character is a word. */
const wordsOf = (text: string): readonly string[] =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}']+|\uFFFC/gu,
  ) ?? []

/** Returns the proportion of words that both texts have. */
function sharedWords(a: string, b: string): number {
  const left = wordsOf(a)
  const right = wordsOf(b)
  const total = left.length + right.length
  if (total === 0) return 0
  const counts = new Map<string, number>()
  for (const word of right) counts.set(word, (counts.get(word) ?? 0) + 1)
  const shared = left.filter((word) => {
    const count = counts.get(word) ?? 0
    if (count > 0) counts.set(word, count - 1)
    return count > 0
  })
  return (2 * shared.length) / total
}
