import { defaultSeverities, type Severity } from './rules.ts'
import { type QualityProblem, copyProblems, spacingProblems } from './translation-quality.ts'
import { isRelated } from './copied-text.ts'
import { inspect } from './inspect.ts'
import { buildModel } from './model.ts'
import type { ParseOptions } from './parse-translation.ts'
import { isRefused, type ProblemCode } from './problem.ts'

/** Texts of one module. */
export interface ModuleTexts {
  readonly module: string
  readonly defaultLanguage: string
  readonly languages: readonly string[]
  readonly keys: readonly {
    readonly key: string
    /** Texts in the order of the languages; null if missing. */
    readonly translations: readonly (string | null)[]
    /** Maximum number of characters, without placeholders. */
    readonly maxLength?: number
  }[]
}

/** Rule of `servicekit check` about a single translation. */
export type TranslationRule =
  | 'parameter'
  | 'tag'
  | 'plural'
  | 'syntax'
  | 'length'
  | 'copy'
  | 'spacing'

/** Problem of a translation, as `servicekit check` finds it. */
export interface TranslationProblem {
  readonly rule: TranslationRule
  /** Severity that `servicekit check` gives it by default. */
  readonly severity: Severity
  readonly module: string
  /** Key of the message; of a plural without the suffix of a form. */
  readonly key: string
  /** Keys that the problem concerns: those of all forms of a plural. */
  readonly keys: readonly string[]
  readonly language: string
  /** End of a sentence that begins with the key. */
  readonly message: string
  /** True if applications show a fallback instead of the translation. */
  readonly isRefused: boolean
}

/**
 * Options of an application that is not known: tags are elements, because a translation with other
 * tags than its source text is wrong in every framework.
 */
const defaultOptions: ParseOptions = {
  syntax: 'double-brace',
  markup: { framework: 'react', selfClosing: true, numbered: true },
}

/** Returns the rule of a problem; undefined if it does not concern a single translation. */
export const ruleOfProblem = (code: ProblemCode): TranslationRule | undefined => rules[code]

const rules: Readonly<Partial<Record<ProblemCode, TranslationRule>>> = {
  PARAMETER_MISSING: 'parameter',
  PARAMETER_TYPE: 'parameter',
  PARAMETER_UNKNOWN: 'parameter',
  PLURAL_MISSING: 'plural',
  SYNTAX: 'syntax',
  TAG_INVALID: 'tag',
  TAG_MISSING: 'tag',
  TAG_UNKNOWN: 'tag',
  TOO_LONG: 'length',
}

/**
 * Checks the translations of a module by the rules of `servicekit check` that need neither code nor
 * a glossary: placeholders, tags, plural forms, syntax, length, white space and copies of the source
 * text. Missing translations are no problem.
 *
 * @param options of the application; by default double braces, with tags as elements.
 */
export function checkTranslations(
  { module, defaultLanguage, languages, keys }: ModuleTexts,
  options: Partial<ParseOptions> = {},
): readonly TranslationProblem[] {
  const translations = new Map(
    languages.map((code, index) => [
      code,
      new Map(keys.map(({ key, translations }) => [key, translations[index] ?? null])),
    ]),
  )
  const details = new Map(
    keys.flatMap(({ key, maxLength }) => (maxLength === undefined ? [] : [[key, { maxLength }]])),
  )
  const model = buildModel(
    {
      languages: languages.map((code) => ({ code, name: code })),
      defaultLanguage,
      modules: [{ name: module, translations }],
      details: new Map([[module, details]]),
    },
    { ...defaultOptions, ...options },
  )
  const messages = model.modules.flatMap((one) => one.messages)
  const keysByMessage = new Map(
    messages.map(({ key, group }) => [key, group.plural ? [...group.plural.values()] : [key]]),
  )
  // Tags of a source text that cannot be read are text, such as "x<y>z</w>".
  const withoutTags = new Set(
    messages.flatMap(({ key, translations }) =>
      translations.get(defaultLanguage)?.tagError === undefined ? [] : key,
    ),
  )
  const found = inspect(model).flatMap(({ code, key = '', language = '', message }) => {
    const rule = ruleOfProblem(code)
    if (!rule || (rule === 'tag' && withoutTags.has(key))) return []
    const of = { rule, severity: defaultSeverities[rule], module, key, language, message }
    return [{ ...of, keys: keysByMessage.get(key) ?? [key], isRefused: isRefused(code) }]
  })
  const source = languages.indexOf(defaultLanguage)
  const quality = languages.flatMap((language, index) =>
    keys.flatMap(({ key, translations }) => {
      const [from, text] = [translations[source], translations[index]]
      if (!from || !text) return []
      const pair = { source: from, text, language }
      return qualityOf(pair, defaultLanguage).map(({ rule, message }): TranslationProblem => {
        const of = { rule, severity: defaultSeverities[rule], module, key, language, message }
        return { ...of, keys: [key], isRefused: false }
      })
    }),
  )
  return [...found, ...quality]
}

function qualityOf(
  pair: { readonly source: string; readonly text: string; readonly language: string },
  defaultLanguage: string,
): readonly QualityProblem[] {
  const isDefault = pair.language === defaultLanguage
  const copies = isRelated(pair.language, defaultLanguage) ? [] : copyProblems(pair)
  return [...copies, ...spacingProblems(pair, isDefault)]
}
