/**
 * Languages in which a text is looked for, in order: the language itself, its
 * configured fallbacks, else its relatives (`de-AT` -> `de-DE` -> `de`), then the
 * default language.
 *
 * ```ts
 * fallbackChain('de-AT', { languages: ['de', 'de-DE', 'en-US'], defaultLanguage: 'en-US' })
 * // ['de-AT', 'de-DE', 'de', 'en-US']
 * ```
 */
export function fallbackChain(
  language: string,
  project: {
    readonly languages: readonly string[]
    readonly defaultLanguage: string
    readonly fallback?: Readonly<Record<string, readonly string[]>>
  },
): readonly string[] {
  const { fallback = {} } = project
  const configured = Object.hasOwn(fallback, language) ? fallback[language] : undefined
  const base = language.split(/[-_]/)[0]!
  const regional = `${base}-${base.toUpperCase()}`
  const relatives = [regional, base].filter(
    (code) => project.languages.includes(code) && code !== language,
  )
  return [...new Set([language, ...(configured ?? relatives), project.defaultLanguage])]
}
