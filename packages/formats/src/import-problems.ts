import {
  checkTranslations,
  type MessageSyntax,
  type TranslationProblem,
  type TranslationRule,
} from '@servicekit/catalog/inspection'

/** Texts of a key by language. */
export type TextsByKey = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Problem of a translation, as `servicekit check` finds it. */
export type TextProblem = Omit<TranslationProblem, 'keys'>

/** Rules about which an import reports; the others need a look at the whole project. */
const reported: ReadonlySet<TranslationRule> = new Set(['parameter', 'syntax', 'tag', 'length'])

/** Returns the problems of the translations of modules, as they are after an import. */
export const findTextProblems = (
  modules: ReadonlyMap<string, TextsByKey>,
  {
    languages,
    defaultLanguage,
    syntax,
    maxLengths,
  }: {
    readonly languages: readonly string[]
    readonly defaultLanguage: string
    readonly syntax?: MessageSyntax
    /** Maximum length by module and key. */
    readonly maxLengths: ReadonlyMap<string, ReadonlyMap<string, number>>
  },
): readonly TextProblem[] =>
  [...modules].flatMap(([module, keys]) => {
    const texts = [...keys].map(([key, byLanguage]) => {
      const maxLength = maxLengths.get(module)?.get(key)
      return {
        key,
        translations: languages.map((language) => byLanguage.get(language) || null),
        ...(maxLength !== undefined && { maxLength }),
      }
    })
    const input = { module, defaultLanguage, languages, keys: texts }
    return checkTranslations(input, syntax && { syntax })
      .filter(({ rule }) => reported.has(rule))
      .flatMap(({ keys: own, ...problem }) => own.map((key) => ({ ...problem, key })))
  })
