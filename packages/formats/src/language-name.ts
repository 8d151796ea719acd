import { likelyOf } from '@servicekit/core'

const tagPattern = /^[A-Za-z]{2,3}(?:[-_][A-Za-z]{4})?(?:[-_](?:[A-Za-z]{2}|\d{3}))?$/

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** Returns whether a name in a path or a header is a language code, such as `de` or `pt_BR`. */
export function isLanguageName(name: string): boolean {
  if (!tagPattern.test(name)) return false
  const [language = ''] = name.split(/[-_]/)
  return names.of(language.toLowerCase()) !== undefined
}

/** Returns the usual form of a language code: `de-DE` for `de_de`. */
export function canonicalLanguage(name: string): string {
  try {
    return Intl.getCanonicalLocales(name.replaceAll('_', '-'))[0] ?? name
  } catch {
    return name
  }
}

/**
 * Returns the language of a project that the language of a file is most likely to be: the same code,
 * otherwise the only one of that language and script, or the one of its usual region.
 *
 * ```ts
 * matchLanguage('de', ['de-DE', 'en-US']) // 'de-DE'
 * ```
 */
export function matchLanguage(name: string, codes: readonly string[]): string | undefined {
  const plain = (code: string): string => code.toLowerCase().replaceAll('_', '-')
  const same = codes.find((code) => plain(code) === plain(name))
  if (same !== undefined) return same
  const primary = (code: string): string => plain(code).split('-')[0]!
  const related = codes.filter(
    (code) => primary(code) === primary(name) && likelyOf(code).script === likelyOf(name).script,
  )
  if (hasRegion(name)) return related.find((code) => !hasRegion(code))
  return related.length === 1
    ? related[0]
    : related.find((code) => likelyOf(code).region === likelyOf(name).region)
}

const hasRegion = (code: string): boolean => /[-_](?:[A-Za-z]{2}|\d{3})(?:[-_]|$)/.test(code)
