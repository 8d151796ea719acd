/** Number of different characters that a secret of at least as many characters must have. */
const minDifferent = 8

/**
 * Returns why a secret that an operator chooses is too weak, as the end of a sentence; undefined if
 * it is not. All settings with secrets use it. It rejects text that is blank, repeated or a
 * sequence, such as 17 spaces, and characters that nobody sees; it does not measure entropy.
 *
 * @param minLength Minimum number of characters, white space at the ends aside.
 */
export function secretProblem(secret: string, minLength = 1): string | undefined {
  const text = secret.trim()
  if (text === '') return 'must not be blank'
  if (text.length < minLength) return `must have at least ${minLength} characters`
  if (text !== secret) return 'must not begin or end with white space'
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return 'must not contain invisible characters'
  const different = Math.min(minDifferent, minLength)
  if (new Set(text).size < different) {
    return `must have at least ${different} different characters`
  }
  return minLength >= minDifferent && (isRepeated(text) || isSequence(text))
    ? 'must not be a sequence or repeat a shorter text'
    : undefined
}

/** Returns true for a shorter text that is repeated: only such a text is inside its double. */
const isRepeated = (text: string): boolean => (text + text).indexOf(text, 1) < text.length

/** Returns true for `0123456789abcdef`: almost every step to the next character is the same. */
const isSequence = (text: string): boolean =>
  new Set(Array.from(text.slice(1), (_, at) => text.charCodeAt(at + 1) - text.charCodeAt(at)))
    .size < 4

/** Returns why a secret cannot be sent in a header; undefined if it can. */
export const headerSecretProblem = (secret: string): string | undefined =>
  /^[\x20-\x7e]*$/.test(secret)
    ? undefined
    : 'must consist of ASCII characters, because a header carries it'
