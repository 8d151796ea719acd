/**
 * Placeholders of a text: `{{name}}`, `{name}`, `%{name}`, `%s`, `%1$s`, `$t(key)` and tags
 * such as `<0>`.
 */
const pattern =
  /\{\{[^{}]*\}\}|%?\{[^{}\s]*\}|%(?:\d+\$)?[sdif@]|\$t\([^()]*\)|<\/?[A-Za-z0-9]+(?:\s[^<>]*)?\/?>/g

export const placeholdersOf = (text: string): readonly string[] => text.match(pattern) ?? []

/** Returns whether two texts have the same placeholders, equally often, in any order. */
export function hasSamePlaceholders(a: string, b: string): boolean {
  const sorted = (text: string): string => JSON.stringify([...placeholdersOf(text)].sort())
  return sorted(a) === sorted(b)
}

/**
 * Replaces every placeholder when texts are compared: its name does not matter for the
 * sentence.
 */
const blank = '\uFFFC'

/** Replaces every placeholder of a text with the same character. */
export const blanked = (text: string): string => text.replaceAll(pattern, blank)

/**
 * Puts the placeholders of a text into the translation of another text with as many
 * placeholders: `Hallo {{name}}` with those of `Hello {{user}}` becomes `Hallo {{user}}`.
 *
 * @returns undefined when the translation has other placeholders than its own source text.
 */
export function withPlaceholdersOf(
  text: string,
  original: string,
  translation: string,
): string | undefined {
  const requested = placeholdersOf(text)
  const originals = placeholdersOf(original)
  if (requested.length !== originals.length || !hasSamePlaceholders(original, translation)) {
    return undefined
  }
  const queues = new Map<string, string[]>()
  for (const [index, one] of originals.entries()) {
    queues.set(one, [...(queues.get(one) ?? []), requested[index]!])
  }
  return translation.replaceAll(pattern, (one) => queues.get(one)?.shift() ?? one)
}
