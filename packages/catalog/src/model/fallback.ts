import { relativesOf } from './languages.ts'

/**
 * Returns the languages in which a translation is looked up, in order: the language
 * itself; its configured fallbacks, or its relatives of the same script (`de-AT` ->
 * `de-DE` -> `de`, `zh-Hant-HK` -> `zh-Hant`); the default language.
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
  const relatives = configured ?? relativesOf(language, project.languages)
  return [...new Set([language, ...relatives, project.defaultLanguage])]
}
