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
    .trim()
    .replace(/\s*(?:[.:!?…]|\.{3})+$/u, '')

/**
 * Returns the similarity of two normalized texts, between 0 and 1. Half of it compares
 * characters and half compares whole words: `save` and `safe` differ in one letter but mean
 * different things.
 */
export function similarity(a: string, b: string): number {
  if (a === b) return 1
  const longest = Math.max(a.length, b.length)
  if (longest === 0) return 0
  const byCharacter = 1 - distance(a, b) / longest
  return (byCharacter + sharedWords(a, b)) / 2
}

/** Splits a text into words; in languages without spaces, each character is a word. */
const wordsOf = (text: string): readonly string[] =>
  text.match(
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}']+|\uFFFC/gu,
  ) ?? []

function sharedWords(a: string, b: string): number {
  const left = wordsOf(a)
  const rest = [...wordsOf(b)]
  const total = left.length + rest.length
  if (total === 0) return 0
  let shared = 0
  for (const word of left) {
    const index = rest.indexOf(word)
    if (index < 0) continue
    rest.splice(index, 1)
    shared++
  }
  return (2 * shared) / total
}
