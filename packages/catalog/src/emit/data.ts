import type { Choice, MessagePart, MessageParts, ParameterFormat } from '../syntax/message.ts'
import { chainsOf, findTranslation, type MessageModel, type Model } from '../model/model.ts'
import { categoriesOf, localeOf } from '../syntax/plural.ts'

/**
 * Message as JSON, for uses that code cannot reach, such as the payload of React Server
 * Components. A string is shown as it is; an array is concatenated.
 */
export type MessageData = string | readonly PartData[] | PlainOrPlural

/** Message whose key also has a translation to use without `count`. */
interface PlainOrPlural {
  readonly plain: MessageData
  readonly plural: MessageData
}

/** Literal string, parameter by name, formatted parameter, or choice. */
type PartData = string | readonly [name: string] | FormattedData | ChoiceData | TagData

interface TagData {
  readonly tag: string
  /** Absent for a self-closing tag. */
  readonly children?: MessageData
}

interface FormattedData {
  readonly name: string
  /** Constructor of Intl. */
  readonly intl: 'NumberFormat' | 'DateTimeFormat' | 'ListFormat' | 'RelativeTimeFormat'
  readonly options?: Readonly<Record<string, unknown>>
  /** Locale, if it is not the language of the page. */
  readonly locale?: string
  readonly scale?: number
  readonly minus?: number
  readonly unit?: string
}

interface ChoiceData {
  readonly name: string
  readonly cases: Readonly<Record<string, MessageData>>
  readonly other: MessageData
  /** Messages for exact numbers. */
  readonly exact?: Readonly<Record<string, MessageData>>
  /** Cardinal plural by default. */
  readonly by?: 'ordinal' | 'value'
  readonly offset?: number
  readonly locale?: string
}

/** Returns a message in one language as JSON. Missing translations fall back as in packs. */
export function messageData(
  model: Pick<Model, 'catalog' | 'options'>,
  message: MessageModel,
  language: string,
): MessageData {
  const chain = chainsOf(model).get(language) ?? []
  const dataOf = (one: MessageModel): MessageData => translationData(one, chain, language)
  const plural = dataOf(message)
  return message.base ? { plain: dataOf(message.base), plural } : plural
}

function translationData(
  message: MessageModel,
  chain: readonly string[],
  language: string,
): MessageData {
  const translation = findTranslation(message, chain)
  if (!translation) return message.key
  const own = localeOf(translation.language)
  const locale = own === language ? {} : { locale: own }
  const other = partsData(translation.other, locale)
  const type = message.ordinal ? 'ordinal' : 'cardinal'
  const categories = categoriesOf(translation.language, type)
  const forms = [...translation.forms].map(
    ([category, parts]) => [category, partsData(parts, locale)] as const,
  )
  const cases = forms.filter(([category]) => categories.includes(category))
  // Shown for 0 in languages whose grammar has no such form, except for ordinals.
  const zero = message.ordinal
    ? undefined
    : forms.find(([category]) => category === 'zero' && !categories.includes('zero'))
  if (cases.length === 0 && !zero) return other
  return [
    {
      name: 'count',
      cases: Object.fromEntries(cases),
      other,
      ...(zero ? { exact: { 0: zero[1] } } : {}),
      ...(message.ordinal ? { by: 'ordinal' } : {}),
      ...locale,
    },
  ]
}

/** Locale of the translation, if it is not the language of the page. */
type Locale = Pick<FormattedData, 'locale'>

function partsData(parts: MessageParts, locale: Locale): MessageData {
  const isConstant = parts.every((part) => typeof part === 'string')
  return isConstant ? parts.join('') : parts.map((part) => partData(part, locale))
}

function partData(part: MessagePart, locale: Locale): PartData {
  if (typeof part === 'string') return part
  if ('cases' in part) return choiceData(part, locale)
  if ('tag' in part) {
    const { tag, children } = part
    return { tag, ...(children ? { children: partsData(children, locale) } : {}) }
  }
  return part.format ? formattedData(part.param, part.format, locale) : [part.param]
}

const constructors = {
  number: 'NumberFormat',
  date: 'DateTimeFormat',
  list: 'ListFormat',
  relative: 'RelativeTimeFormat',
} as const

function formattedData(name: string, format: ParameterFormat, locale: Locale): FormattedData {
  const { kind, minus, unit = 'day' } = format
  const { scale, ...rest } = format.options ?? {}
  const options = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    name,
    intl: constructors[kind],
    ...(options.length > 0 ? { options: Object.fromEntries(options) } : {}),
    ...(typeof scale === 'number' && scale !== 1 ? { scale } : {}),
    ...(minus === undefined ? {} : { minus }),
    ...(kind === 'relative' ? { unit } : {}),
    ...locale,
  }
}

function choiceData(choice: Choice, locale: Locale): ChoiceData {
  const dataOf = <K>(messages: ReadonlyMap<K, MessageParts>) =>
    Object.fromEntries([...messages].map(([name, parts]) => [name, partsData(parts, locale)]))
  return {
    name: choice.param,
    cases: dataOf(choice.cases),
    other: partsData(choice.other, locale),
    ...(choice.exact.size > 0 ? { exact: dataOf(choice.exact) } : {}),
    ...(choice.offset === 0 ? {} : { offset: choice.offset }),
    ...(choice.kind === 'plural'
      ? {}
      : { by: choice.kind === 'select' ? ('value' as const) : choice.kind }),
    ...(choice.kind === 'select' ? {} : locale),
  }
}
