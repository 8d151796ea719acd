import { identifierOf } from '@servicekit/catalog'

/** Maximum length of a name derived from a key. */
const longest = 40

/**
 * Returns a readable local name for a key. A key that is an identifier is kept. Other
 * keys are split into words, which are joined in camel case:
 *
 * | key | alias |
 * |---|---|
 * | `SIGN_IN` | `SIGN_IN` |
 * | `form.title` | `formTitle` |
 * | `Failed to fetch` | `failedToFetch` |
 * | `404 not found` | `text404NotFound` |
 */
export function aliasOf(key: string): string {
  if (identifierOf(key) === key) return key
  const words = key
    .replaceAll(/['’]/g, '')
    .replaceAll(/(\p{Ll}|\p{N})(?=\p{Lu})/gu, '$1 ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
  let alias = ''
  for (const word of words) {
    const next = alias === '' ? word.toLowerCase() : capitalized(word)
    if (alias !== '' && alias.length + next.length > longest) break
    alias += next
  }
  const short = [...alias].slice(0, longest).join('')
  if (identifierOf(short) === short) return short
  // The name is empty, starts with a digit, or is a reserved word.
  const prefixed = /^[\p{N}\p{M}]/u.test(short) || short === '' ? `text${short}` : `${short}Text`
  return identifierOf(prefixed) === prefixed ? prefixed : 'text'
}

/** `HTTP` becomes `Http`, so that word boundaries stay visible. */
const capitalized = (word: string): string => {
  const [first = '', ...rest] = word
  return first.toUpperCase() + rest.join('').toLowerCase()
}
