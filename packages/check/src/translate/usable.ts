import { type Catalog, inspect, type Model, modelOf } from '@servicekit/catalog'
import { type Glossary, termMatcher } from '../glossary/glossary.ts'
import type { Gap } from './gaps.ts'

/**
 * Returns why a translation cannot be used: other parameters or tags than the source text, a
 * syntax error, too long, or a forbidden word. Returns undefined if it can.
 */
export function rejectionOf(
  text: string,
  {
    gap,
    model,
    glossary,
    maxLength,
  }: {
    readonly gap: Gap
    readonly model: Model
    readonly glossary: Glossary | undefined
    readonly maxLength: number | undefined
  },
): string | undefined {
  if (text.trim() === '') return 'is empty'
  if (maxLength !== undefined && [...text].length > maxLength)
    return `is longer than ${maxLength} characters`
  const forbidden = glossary?.terms
    .flatMap((one) => [...(one.forbidden?.[gap.language] ?? []), ...(one.forbidden?.['*'] ?? [])])
    .find((word) => termMatcher(word)(text))
  if (forbidden !== undefined) return `contains "${forbidden}", which the glossary forbids`
  const problem = inspect(modelOf(catalogWith(text, gap, model), optionsOf(model))).find(
    ({ code, language }) => language === gap.language && /^(?:PARAMETER|TAG|SYNTAX)/.test(code),
  )
  return problem?.message
}

const optionsOf = ({ options }: Model) => ({ ...options, fallback: {}, pseudo: {} })

/** Returns a catalog of only the message, as if it were translated. */
function catalogWith(
  text: string,
  { module, key, language, message, source }: Gap,
  model: Model,
): Catalog {
  const { defaultLanguage, languages } = model.catalog
  const keys = [message.group.base ?? message.key, ...(message.group.plural?.values() ?? [])]
  const all = model.catalog.modules.find(({ name }) => name === module)!.translations
  const pick = (code: string): [string, string][] =>
    keys.flatMap((one): [string, string][] => {
      const found = all.get(code)?.get(one)
      return found ? [[one, found]] : []
    })
  const sources = new Map([[key, source] as const, ...pick(defaultLanguage)])
  return {
    defaultLanguage,
    languages: languages.filter(({ code }) => code === defaultLanguage || code === language),
    modules: [
      {
        name: module,
        translations: new Map([
          [defaultLanguage, sources],
          [language, new Map([...pick(language), [key, text]])],
        ]),
      },
    ],
  }
}
