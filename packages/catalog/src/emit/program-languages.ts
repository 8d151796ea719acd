import { ConfigError } from '@servicekit/client'
import type { Catalog } from '../model/catalog.ts'
import { languageAdvice } from '../model/languages.ts'

/**
 * Selects languages of a catalog, starting with the default language: that of the catalog,
 * or the first selected one.
 *
 * @param codes All languages by default.
 * @throws ConfigError for an unknown language.
 */
export function selectLanguages(
  { languages, defaultLanguage }: Catalog,
  codes: readonly string[] | undefined,
): Pick<Catalog, 'languages' | 'defaultLanguage'> {
  if (codes === undefined) return { languages, defaultLanguage }
  const known = languages.map(({ code }) => code)
  const unknown = codes.find((code) => !known.includes(code))
  if (unknown !== undefined) {
    throw new ConfigError(`Unknown language "${unknown}"`, {
      details: { languages: known.join(', ') },
      help: languageAdvice(unknown, known),
    })
  }
  const [first] = codes
  if (first === undefined) throw new ConfigError('At least one language is required')
  const chosen = codes.includes(defaultLanguage) ? defaultLanguage : first
  const ordered = [...new Set([chosen, ...codes])]
  return {
    languages: ordered.map((code) => languages.find((language) => language.code === code)!),
    defaultLanguage: chosen,
  }
}
