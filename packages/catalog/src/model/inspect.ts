import type { CatalogModule } from './catalog.ts'
import { chainsOf, type MessageModel, type Model, findTranslation } from './model.ts'
import { lengthOf } from '../syntax/message-length.ts'
import { locateSyntaxError, type ParameterType } from '../syntax/message.ts'
import { parametersOfTranslation, type Translation } from './parse-translation.ts'
import { passedParameters, unusableParameters } from './passed-parameters.ts'
import { everydayCategoriesOf } from '../syntax/plural.ts'
import { choicesIn, unknownCases } from '../syntax/choices.ts'
import type { Problem, ProblemCode } from './problem.ts'
import { pseudoKindOf } from './pseudo.ts'
import { noTags, type TagNames } from '../syntax/tags.ts'

/**
 * Returns the problems of a model, name clashes first: missing translations, missing
 * plural forms, and parameters that a translation omits or adds.
 */
export function inspect(model: Model): readonly Problem[] {
  const problems: Problem[] = [...model.problems]
  const chains = chainsOf(model)
  const languages = model.catalog.languages.filter(
    ({ code }) => pseudoKindOf(code, model.options.pseudo) === undefined,
  )
  const neededBy = (type: Intl.PluralRuleType) =>
    new Map(languages.map(({ code }) => [code, everydayCategoriesOf(code, type)]))
  const needed = { cardinal: neededBy('cardinal'), ordinal: neededBy('ordinal') }
  for (const { name: module, messages, source } of model.modules) {
    /** A key without any translation is reported once, not again for its plural forms. */
    const isReportedWithPlural = (message: MessageModel, language: string): boolean =>
      messages.some(({ base, translations }) => base === message && !translations.get(language))
    const withBases = messages.flatMap((one) => (one.base ? [one.base, one] : [one]))
    for (const message of withBases) {
      for (const { code: language } of languages) {
        const location = { language, module, key: message.key }
        const translation = message.translations.get(language)
        if (!translation) {
          if (isReportedWithPlural(message, language)) continue
          const found = findTranslation(message, chains.get(language)!)
          problems.push({
            severity: 'info',
            code: 'MISSING_TRANSLATION',
            ...location,
            message: found
              ? `is not translated; ${found.language} is used instead`
              : 'is not translated and has no fallback; the key is shown',
          })
          continue
        }
        problems.push(...syntaxProblems(model, source, message, location))
        problems.push(...tagProblems(message, translation, location))
        problems.push(...lengthProblems(model, message, translation, location))
        const choices = choicesOf(translation)
        const ofSource = message.translations.get(model.catalog.defaultLanguage)
        problems.push(
          ...unknownCases(choices, ofSource ? choicesOf(ofSource) : []).map((reason): Problem => ({
            severity: 'warning',
            code: 'SYNTAX',
            ...location,
            message: `${reason}: ${quoteTranslations(model, source, message, language)}`,
          })),
        )
        const plurals = choices
          // Its cases are for exact numbers, in every language.
          .filter(({ kind }) => kind !== 'select' && model.options.syntax !== 'vue-i18n')
          .map(({ kind, cases }) => ({ written: cases, isOrdinal: kind === 'ordinal' }))
        if (message.plural) {
          plurals.unshift({ written: translation.forms, isOrdinal: message.ordinal })
        }
        for (const { written, isOrdinal } of plurals) {
          const absent = needed[isOrdinal ? 'ordinal' : 'cardinal']
            .get(language)!
            .filter((category) => category !== 'other' && !written.has(category))
          if (absent.length > 0) {
            problems.push({
              severity: 'info',
              code: 'PLURAL_MISSING',
              ...location,
              message: `has no plural form ${absent.join(', ')}; the form other is used`,
            })
          }
        }
        problems.push(
          ...parameterProblems(message, translation, location, () =>
            quoteTranslations(model, source, message, language),
          ),
        )
      }
    }
  }
  return problems
}

const choicesOf = ({ other, forms }: Translation) => choicesIn([other, ...forms.values()])

/**
 * Returns a problem for each translation that violates the message syntax, or has a format that is
 * not supported.
 */
function syntaxProblems(
  { catalog, options }: Model,
  source: CatalogModule,
  { key, group }: MessageModel,
  location: { readonly language: string; readonly module: string; readonly key: string },
): Problem[] {
  const { syntax, markup } = options
  const keys = group.plural ? [...group.plural.values()] : [key]
  return keys.flatMap((one): Problem[] => {
    const text = source.translations.get(location.language)?.get(one)
    const found = text ? locateSyntaxError(text, syntax, markup !== undefined) : undefined
    if (found === undefined) return []
    const { error, effect } = found
    const shown =
      location.language === catalog.defaultLanguage
        ? 'it is shown unchanged'
        : 'its fallback is shown'
    const message =
      effect === undefined
        ? `is not a valid ICU message (${error}); ${shown}: ${JSON.stringify(text)}`
        : `has a format that is not supported (${error}); ${effect}: ${JSON.stringify(text)}`
    return [{ severity: 'warning', code: 'SYNTAX', ...location, message }]
  })
}

/** Returns the problems of the tags in a translation, which is not shown then. */
function tagProblems(
  { tags: expected }: MessageModel,
  { tags: actual = noTags, tagError }: Translation,
  location: { readonly language: string; readonly module: string; readonly key: string },
): Problem[] {
  const problem = (code: ProblemCode, message: string): Problem => ({
    severity: 'warning',
    code,
    ...location,
    message,
  })
  if (tagError !== undefined) {
    const shown = expected.size > 0 ? 'its fallback is shown' : 'its tags are shown as text'
    return [problem('TAG_INVALID', `cannot be read: ${tagError}; ${shown}`)]
  }
  const differing = (all: TagNames, others: TagNames): readonly string[] =>
    [...all].flatMap(([name, hasChildren]) =>
      others.get(name) === hasChildren ? [] : hasChildren ? `<${name}>` : `<${name}/>`,
    )
  const missing = differing(expected, actual)
  const unknown = differing(actual, expected)
  return [
    ...(missing.length > 0
      ? [problem('TAG_MISSING', `omits the tag ${missing.join(', ')}; its fallback is shown`)]
      : []),
    ...(unknown.length > 0
      ? [
          problem(
            'TAG_UNKNOWN',
            `uses the unknown tag ${unknown.join(', ')}; its fallback is shown`,
          ),
        ]
      : []),
  ]
}

/** Returns a problem if the translation, or one of its plural forms, is too long. */
function lengthProblems(
  { catalog }: Model,
  { key, group }: MessageModel,
  { other, forms }: Translation,
  location: { readonly language: string; readonly module: string; readonly key: string },
): readonly Problem[] {
  const details = catalog.details?.get(location.module)
  if (!details) return []
  const maximums = [key, ...(group.plural?.values() ?? [])].map(
    (one) => details.get(one)?.maxLength,
  )
  const maximum = Math.min(...maximums.map((one) => one ?? Infinity))
  const length = Math.max(...[other, ...forms.values()].map(lengthOf))
  if (length <= maximum) return []
  const message = `has ${length} characters, more than its maximum length ${maximum}`
  return [{ severity: 'warning', code: 'TOO_LONG', ...location, message }]
}

/** Returns the parameters that a translation omits, and those that keep it from being shown. */
function parameterProblems(
  message: MessageModel,
  translation: Translation,
  location: { readonly language: string; readonly module: string; readonly key: string },
  translations: () => string,
): readonly Problem[] {
  const used = parametersOfTranslation(translation, message.plural)
  const missing = message.params.filter((name) => !used.has(name))
  const unusable = unusableParameters(translation, passedParameters(message))
  const unknown = unusable.filter(({ given }) => given === undefined)
  const problem = (code: ProblemCode, text: string): Problem => ({
    severity: 'warning',
    code,
    ...location,
    message: `${text}: ${translations()}`,
  })
  const namesOf = (all: typeof unknown): string => all.map(({ name }) => name).join(', ')
  return [
    ...(missing.length > 0
      ? [problem('PARAMETER_MISSING', `omits the parameter ${missing.join(', ')}`)]
      : []),
    ...(unknown.length > 0
      ? [
          problem(
            'PARAMETER_UNKNOWN',
            `uses the unknown parameter ${namesOf(unknown)}; its fallback is shown`,
          ),
        ]
      : []),
    ...unusable.flatMap(({ name, needed, given }) =>
      given === undefined
        ? []
        : [
            problem(
              'PARAMETER_TYPE',
              `uses the parameter ${name} as ${typeNames[needed]}, but calls pass ${typeNames[given]}; its fallback is shown`,
            ),
          ],
    ),
  ]
}

const typeNames: Readonly<Record<ParameterType, string>> = {
  value: 'a string or number',
  number: 'a number',
  date: 'a date',
  list: 'a list',
  flag: 'a boolean',
}

function quoteTranslations(
  model: Model,
  source: CatalogModule,
  { key, group }: MessageModel,
  language: string,
): string {
  const { defaultLanguage } = model.catalog
  const show = (code: string): string => {
    const translations = source.translations.get(code)
    const other = group.plural?.get('other')
    return `${code} ${JSON.stringify((other && translations?.get(other)) || translations?.get(key) || '')}`
  }
  return `${show(language)}, ${show(defaultLanguage)}`
}
