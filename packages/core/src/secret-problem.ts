/** Number of different characters that a secret of at least as many characters must have. */
const minDifferent = 8

/**
 * Returns why a secret that an operator chooses is too weak, as the end of a sentence; undefined if
 * it is not. All settings with secrets use it. It rejects blank and repeated text, such as 17
 * spaces; it does not measure entropy.
 *
 * @param minLength Minimum number of characters, white space at the ends aside.
 */
export function secretProblem(secret: string, minLength = 1): string | undefined {
  const text = secret.trim()
  if (text === '') return 'must not be blank'
  if (text.length < minLength) return `must have at least ${minLength} characters`
  if (text !== secret) return 'must not begin or end with white space'
  const different = Math.min(minDifferent, minLength)
  return new Set(text).size < different
    ? `must have at least ${different} different characters`
    : undefined
}
