import type { CatalogModule } from './catalog.ts'
import {
  chainsOf,
  type MessageModel,
  type Model,
  ownWording,
  parametersOfWording,
  wordingOf,
} from './model.ts'
import { branchesOf, type Choice, type MessageParts, syntaxErrorOf } from './message.ts'
import { everydayCategoriesOf } from './plural.ts'
import type { Problem } from './problem.ts'
import { pseudoKindOf } from './pseudo.ts'

/**
 * Returns the problems of a model, name clashes first: missing translations, missing
 * plural forms, and parameters that a translation lacks or adds.
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
      messages.some(
        ({ base, group }) => base === message && !ownWording(model, source, group, language),
      )
    const withBases = messages.flatMap((one) => (one.base ? [one.base, one] : [one]))
    for (const message of withBases) {
      for (const { code: language } of languages) {
        const place = { language, module, key: message.key }
        const wording = ownWording(model, source, message.group, language)
        if (!wording) {
          if (isReportedWithPlural(message, language)) continue
          const found = wordingOf(model, source, message.group, chains.get(language)!)
          problems.push({
            severity: 'info',
            code: 'MISSING_TEXT',
            ...place,
            message: found
              ? `is not translated; the text of ${found.language} is shown`
              : 'is not translated, nor is there a text to fall back to; the key is shown',
          })
          continue
        }
        problems.push(...syntaxProblems(model, source, message, place))
        const choices = choicesIn([wording.other, ...wording.forms.values()])
        const plurals = choices
          .filter(({ choose }) => choose !== 'select')
          .map(({ choose, cases }) => ({ written: cases, isOrdinal: choose === 'ordinal' }))
        if (message.plural) {
          plurals.unshift({ written: wording.forms, isOrdinal: message.ordinal })
        }
        for (const { written, isOrdinal } of plurals) {
          const absent = needed[isOrdinal ? 'ordinal' : 'cardinal']
            .get(language)!
            .filter((category) => category !== 'other' && !written.has(category))
          if (absent.length > 0) {
            problems.push({
              severity: 'info',
              code: 'PLURAL_MISSING',
              ...place,
              message: `has no form for ${absent.join(', ')}; the form for other is shown`,
            })
          }
        }
        problems.push(
          ...compareParameters(
            message.params,
            [...parametersOfWording(wording, message.plural).keys()],
            place,
            () => bothTexts(model, source, message, language),
          ),
        )
      }
    }
  }
  return problems
}

/** Returns the choices in a message, including nested ones. */
function choicesIn(texts: readonly MessageParts[]): readonly Choice[] {
  return texts.flatMap((parts) =>
    parts.flatMap((part) =>
      typeof part === 'string' || !('choose' in part) ? [] : [part, ...choicesIn(branchesOf(part))],
    ),
  )
}

/**
 * Returns a problem for each translation that violates the message syntax. Such
 * translations are shown as they are.
 */
function syntaxProblems(
  model: Model,
  source: CatalogModule,
  { key, group }: MessageModel,
  place: { readonly language: string; readonly module: string; readonly key: string },
): Problem[] {
  const { syntax } = model.options
  const keys = group.plural ? [...group.plural.values()] : [key]
  return keys.flatMap((one): Problem[] => {
    const text = source.texts.get(place.language)?.get(one)
    const reason = text ? syntaxErrorOf(text, syntax) : undefined
    if (reason === undefined) return []
    const message =
      syntax === 'icu'
        ? `is no ICU message (${reason}) and is shown as it stands: ${JSON.stringify(text)}`
        : `has a format that Intl rejects (${reason}); the value is shown unformatted: ${JSON.stringify(text)}`
    return [{ severity: 'warning', code: 'SYNTAX', ...place, message }]
  })
}

function compareParameters(
  expected: readonly string[],
  actual: readonly string[],
  place: { readonly language: string; readonly module: string; readonly key: string },
  texts: () => string,
): Problem[] {
  if (expected.length === actual.length && expected.every((name) => actual.includes(name)))
    return []
  const lacks = expected.filter((name) => !actual.includes(name))
  const invents = actual.filter((name) => !expected.includes(name))
  const problems: Problem[] = []
  if (lacks.length > 0) {
    problems.push({
      severity: 'warning',
      code: 'PARAMETER_MISSING',
      ...place,
      message: `lacks the parameter ${lacks.join(', ')}: ${texts()}`,
    })
  }
  if (invents.length > 0) {
    problems.push({
      severity: 'warning',
      code: 'PARAMETER_UNKNOWN',
      ...place,
      message: `uses the unknown parameter ${invents.join(', ')}: ${texts()}`,
    })
  }
  return problems
}

function bothTexts(
  model: Model,
  source: CatalogModule,
  { key, group }: MessageModel,
  language: string,
): string {
  const { defaultLanguage } = model.catalog
  const show = (code: string): string => {
    const texts = source.texts.get(code)
    const other = group.plural?.get('other')
    return `${code} ${JSON.stringify((other && texts?.get(other)) || texts?.get(key) || '')}`
  }
  return `${show(language)}, ${show(defaultLanguage)}`
}
