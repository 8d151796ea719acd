/**
 * What stands for something else in a text: `{{name}}`, `{name}`, `%{name}`,
 * `%s`, `%1$s`, `$t(key)` and tags such as `<0>`.
 */
const pattern =
  /\{\{[^{}]*\}\}|%?\{[^{}\s]*\}|%(?:\d+\$)?[sdif@]|\$t\([^()]*\)|<\/?[A-Za-z0-9]+(?:\s[^<>]*)?\/?>/g

/** The placeholders of a text, in their order. */
export const placeholdersOf = (text: string): readonly string[] => text.match(pattern) ?? []

/** Whether two texts have the same placeholders, each as often, in any order. */
export function hasSamePlaceholders(a: string, b: string): boolean {
  const sorted = (text: string): string => JSON.stringify([...placeholdersOf(text)].sort())
  return sorted(a) === sorted(b)
}

/** What a placeholder is compared as: which one it is says nothing of the sentence. */
const blank = '\uFFFC'

/** A text with the same mark for every placeholder. */
export const blanked = (text: string): string => text.replaceAll(pattern, blank)

/**
 * Puts the placeholders of a text into a translation of another text that has as
 * many: `Hallo {{name}}` with those of `Hello {{user}}` is `Hallo {{user}}`.
 *
 * @returns undefined when the translation has other placeholders than its own text.
 */
export function withPlaceholdersOf(
  text: string,
  original: string,
  translation: string,
): string | undefined {
  const wanted = placeholdersOf(text)
  const given = placeholdersOf(original)
  if (wanted.length !== given.length || !hasSamePlaceholders(original, translation)) {
    return undefined
  }
  const queues = new Map<string, string[]>()
  for (const [index, one] of given.entries()) {
    queues.set(one, [...(queues.get(one) ?? []), wanted[index]!])
  }
  return translation.replaceAll(pattern, (one) => queues.get(one)?.shift() ?? one)
}
