import {
  type DateTimeSkeleton,
  type MessageFormatElement,
  type NumberSkeleton,
  parse,
  SKELETON_TYPE,
  TYPE,
} from '@formatjs/icu-messageformat-parser'
import { memoize } from '@servicekit/core'
import { checkedFormat } from './format.ts'
import type { ParameterFormat } from './message.ts'

/**
 * Begins the style of a list, which is passed through the parser as a date: a character that Unicode
 * reserves for use within a program.
 */
export const listMark = '\ufdd6'

type FormatOptions = NonNullable<ParameterFormat['options']>

const numberStyles: Readonly<Record<string, FormatOptions>> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: 'percent' },
}

/**
 * Returns the format of a number.
 *
 * @throws RangeError for a skeleton that Intl cannot format.
 */
export function numberFormat(style: string | NumberSkeleton | null | undefined): ParameterFormat {
  if (!style) return { kind: 'number' }
  if (typeof style === 'string') return { kind: 'number', options: numberStyles[style] ?? {} }
  return checkedFormat({ kind: 'number', options: { ...style.parsedOptions } })
}

const dateStyles: Readonly<Record<string, FormatOptions>> = {
  short: { month: 'numeric', day: 'numeric', year: '2-digit' },
  medium: { month: 'short', day: 'numeric', year: 'numeric' },
  long: { month: 'long', day: 'numeric', year: 'numeric' },
  full: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
}

const timeStyles: Readonly<Record<string, FormatOptions>> = {
  short: { hour: 'numeric', minute: 'numeric' },
  medium: { hour: 'numeric', minute: 'numeric', second: 'numeric' },
  long: { hour: 'numeric', minute: 'numeric', second: 'numeric', timeZoneName: 'short' },
  full: { hour: 'numeric', minute: 'numeric', second: 'numeric', timeZoneName: 'short' },
}

/**
 * Returns the format of a date, a time, or a list that is passed as one.
 *
 * @throws RangeError for a skeleton, or a type of list, that Intl cannot format.
 */
export function dateFormat(
  type: TYPE.date | TYPE.time,
  style: string | DateTimeSkeleton | null | undefined,
): ParameterFormat {
  if (typeof style === 'object' && style?.type === SKELETON_TYPE.dateTime) {
    return checkedFormat({ kind: 'date', options: skeletonOptions(style) })
  }
  const name = typeof style === 'string' ? style : 'medium'
  if (name.startsWith(listMark)) {
    const type = /,\s*(\w+)$/.exec(name)?.[1] ?? 'conjunction'
    return checkedFormat({ kind: 'list', options: { type } })
  }
  const styles = type === TYPE.date ? dateStyles : timeStyles
  return { kind: 'date', options: styles[name] ?? styles['medium']! }
}

/** Fractions of a second, milliseconds of a day, Julian days, and hours with day periods. */
const unsupportedField = /S+|A+|g+|C+/

/**
 * Returns the Intl options of a date skeleton. The parser handles `j` and `J` only if it
 * is given a language and otherwise drops them. Without `hourCycle`, Intl uses the
 * preferred cycle of the language, which is the meaning of `j`.
 *
 * @throws RangeError for a field that Intl cannot format.
 */
function skeletonOptions({ pattern, parsedOptions }: DateTimeSkeleton): FormatOptions {
  const fields = fieldsOf({ pattern })
  const [unsupported] = unsupportedField.exec(fields) ?? []
  if (unsupported !== undefined) throw new RangeError(`the field ${unsupported} is not supported`)
  const [hours] = /j+|J+/.exec(fields) ?? []
  if (hours === undefined) return { ...parsedOptions }
  const hour = hours.length % 2 === 0 ? '2-digit' : 'numeric'
  return { ...parsedOptions, hour, ...(hours.startsWith('J') ? { hourCycle: 'h23' } : {}) }
}

/** Returns the pattern of a date skeleton without what is quoted. */
const fieldsOf = ({ pattern }: Pick<DateTimeSkeleton, 'pattern'>): string =>
  pattern.replaceAll(/'[^']*'/g, '')

/**
 * Returns a description of the first format whose style, or a word of whose skeleton, is not known
 * and therefore has no effect: `{n, number, ::curency/EUR}` would show a number without a currency.
 */
export function unknownFormat(elements: readonly MessageFormatElement[]): string | undefined {
  for (const element of elements) {
    const found = unknownIn(element)
    if (found !== undefined) return found
  }
  return undefined
}

function unknownIn(element: MessageFormatElement): string | undefined {
  switch (element.type) {
    case TYPE.select:
    case TYPE.plural:
      return unknownFormat(Object.values(element.options).flatMap(({ value }) => value))
    case TYPE.number:
    case TYPE.date:
    case TYPE.time:
      return unknownStyle(element.type, element.style)
    default:
      return undefined
  }
}

function unknownStyle(
  type: TYPE.number | TYPE.date | TYPE.time,
  style: string | NumberSkeleton | DateTimeSkeleton | null | undefined,
): string | undefined {
  if (!style) return undefined
  if (typeof style === 'string') {
    const isKnown = Object.hasOwn(stylesOf(type), style) || style.startsWith(listMark)
    return isKnown ? undefined : `unknown style "${style}"`
  }
  const unknown =
    style.type === SKELETON_TYPE.number
      ? style.tokens
          .map(({ stem, options }) => [stem, ...options].join('/'))
          .find((word) => !defaultWords.has(word) && !hasEffect(`{n, number, ::${word}}`))
      : fieldsOf(style)
          .match(/([A-Za-z])\1*/g)
          ?.find((field) => !/^[jJ]/.test(field) && !hasEffect(`{d, date, ::${field}}`))
  return unknown === undefined ? undefined : `unknown word "${unknown}" in a skeleton`
}

const stylesOf = (type: TYPE.number | TYPE.date | TYPE.time) =>
  type === TYPE.number ? numberStyles : type === TYPE.date ? dateStyles : timeStyles

/** Words of a number skeleton that mean what is the default. */
const defaultWords: ReadonlySet<string> = new Set([
  'base-unit',
  'decimal-auto',
  'group-auto',
  'precision-currency-standard',
])

/** Returns whether the parser makes options of the skeleton of a message. */
const hasEffect = memoize((message: string): boolean => {
  const [element] = parse(message, { shouldParseSkeletons: true })
  const { style } = element as { readonly style: NumberSkeleton | DateTimeSkeleton }
  return Object.keys(style.parsedOptions).length > 0
})
