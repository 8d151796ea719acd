import {
  buildModel,
  inspect,
  isProbablyCopied,
  isRelated,
  type ProblemCode,
} from '@servicekit/catalog/inspection'

/** Kind of problem that the console filters by. */
type ProblemKind = 'copied' | 'tooLong' | 'placeholders'

/** Current translations of one module. */
export interface ModuleTranslations {
  readonly module: string
  readonly defaultLanguage: string
  readonly languages: readonly string[]
  /** Texts in the order of the languages; null if missing. */
  readonly keys: readonly {
    readonly key: string
    readonly translations: readonly (string | null)[]
    readonly maxLength?: number
  }[]
}

export interface TranslationProblem {
  readonly key: string
  readonly language: string
  readonly kind: ProblemKind
  /** Message of the check; undefined for a copy of the source text. */
  readonly message?: string
}

const kinds: Readonly<Partial<Record<ProblemCode, ProblemKind>>> = {
  PARAMETER_MISSING: 'placeholders',
  PARAMETER_TYPE: 'placeholders',
  PARAMETER_UNKNOWN: 'placeholders',
  TOO_LONG: 'tooLong',
}

/** Returns the problems of a module's translations, as the checks of the catalog find them. */
export function findProblems(input: ModuleTranslations): readonly TranslationProblem[] {
  const { module: name, defaultLanguage, languages, keys } = input
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
      modules: [{ name, translations }],
      details: new Map([[name, details]]),
    },
    { syntax: 'double-brace' },
  )
  const forms = new Map(
    model.modules[0]!.messages.map(({ key, group }) => [
      key,
      group.plural && [...group.plural.values()],
    ]),
  )
  const found = inspect(model).flatMap(({ code, key = '', language = '', message }) => {
    const kind = kinds[code]
    // A problem of a message concerns each of its plural forms.
    return kind
      ? (forms.get(key) ?? [key]).map((one) => ({ key: one, language, kind, message }))
      : []
  })
  return [...found, ...copies(input)]
}

function copies({
  defaultLanguage,
  languages,
  keys,
}: ModuleTranslations): readonly TranslationProblem[] {
  const source = languages.indexOf(defaultLanguage)
  return languages.flatMap((language, index) =>
    isRelated(language, defaultLanguage)
      ? []
      : keys.flatMap(({ key, translations }) => {
          const [from, to] = [translations[source], translations[index]]
          return from && to && isProbablyCopied(from, to)
            ? [{ key, language, kind: 'copied' as const }]
            : []
        }),
  )
}
