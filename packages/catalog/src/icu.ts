import {
  type DateTimeSkeleton,
  type MessageFormatElement,
  type NumberSkeleton,
  parse,
  SKELETON_TYPE,
  TYPE,
} from '@formatjs/icu-messageformat-parser'
import { checkedFormat } from './format.ts'
import type { Choice, Format, MessagePart, MessageParts } from './message.ts'

/**
 * Takes an ICU message apart. Tags such as `<b>` are text. Beside the types of
 * ICU there is `{names, list}`, with `conjunction` (by default), `disjunction` or
 * `unit` after it.
 *
 * @returns the text itself and what is wrong, where it is no ICU message.
 */
export function parseIcu(text: string): { readonly parts: MessageParts; readonly error?: string } {
  // Braces and apostrophes are all that mean something.
  if (!/[{}']/.test(text)) return { parts: [text] }
  try {
    const elements = parse(listsAsDates(text), { ignoreTag: true, shouldParseSkeletons: true })
    return { parts: readElements(elements, undefined) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // The parser names its errors like constants.
    const isName = /^[A-Z_]+$/.test(reason)
    return { parts: [text], error: isName ? reason.toLowerCase().replaceAll('_', ' ') : reason }
  }
}

interface Counted {
  readonly param: string
  readonly offset: number
}

function readElements(
  elements: readonly MessageFormatElement[],
  counted: Counted | undefined,
): MessageParts {
  const parts = elements.map((element) => readElement(element, counted))
  return parts.length === 0 ? [''] : parts
}

function readElement(element: MessageFormatElement, counted: Counted | undefined): MessagePart {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.argument:
      return { param: element.value }
    case TYPE.number:
      return { param: element.value, format: numberFormat(element.style) }
    case TYPE.date:
    case TYPE.time:
      return { param: element.value, format: dateFormat(element.type, element.style) }
    case TYPE.pound:
      if (!counted) return '#'
      return {
        param: counted.param,
        format: { kind: 'number', ...(counted.offset === 0 ? {} : { minus: counted.offset }) },
      }
    case TYPE.select: {
      const cases = Object.entries(element.options)
      return choiceOf('select', element.value, 0, cases, counted)
    }
    case TYPE.plural: {
      const { value, offset, pluralType } = element
      const choose = pluralType === 'ordinal' ? 'ordinal' : 'plural'
      const cases = Object.entries(element.options)
      return choiceOf(choose, value, offset, cases, { param: value, offset })
    }
    default:
      // Tags are not parsed.
      return ''
  }
}

function choiceOf(
  choose: Choice['choose'],
  param: string,
  offset: number,
  options: readonly (readonly [string, { readonly value: MessageFormatElement[] }])[],
  counted: Counted | undefined,
): Choice {
  const exact = new Map<number, MessageParts>()
  const cases = new Map<string, MessageParts>()
  let other: MessageParts = ['']
  for (const [name, { value }] of options) {
    const parts = readElements(value, counted)
    if (name === 'other') other = parts
    else if (choose !== 'select' && name.startsWith('=')) exact.set(Number(name.slice(1)), parts)
    else cases.set(name, parts)
  }
  return { choose, param, offset, exact, cases, other }
}

type FormatOptions = NonNullable<Format['options']>

const numberStyles: Readonly<Record<string, FormatOptions>> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: 'percent' },
}

function numberFormat(style: string | NumberSkeleton | null | undefined): Format {
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

function dateFormat(
  type: TYPE.date | TYPE.time,
  style: string | DateTimeSkeleton | null | undefined,
): Format {
  if (typeof style === 'object' && style?.type === SKELETON_TYPE.dateTime) {
    return checkedFormat({ kind: 'date', options: skeletonOptions(style) })
  }
  const name = typeof style === 'string' ? style : 'medium'
  if (name.startsWith(listMark)) {
    return { kind: 'list', options: { type: name.slice(listMark.length) } }
  }
  const styles = type === TYPE.date ? dateStyles : timeStyles
  return { kind: 'date', options: styles[name] ?? styles['medium']! }
}

/**
 * Options of a date skeleton. The parser knows `j` and `J` only together with a
 * language and drops them otherwise; without `hourCycle`, Intl uses the cycle that
 * the language prefers, which is what `j` asks for.
 *
 * @throws RangeError for a field that Intl cannot format.
 */
function skeletonOptions({ pattern, parsedOptions }: DateTimeSkeleton): FormatOptions {
  const fields = pattern.replaceAll(/'[^']*'/g, '')
  const unsupported = /S+|A+|g+|C+/.exec(fields)?.[0]
  if (unsupported !== undefined) throw new RangeError(`the field ${unsupported} is not supported`)
  const [hours] = /j+|J+/.exec(fields) ?? []
  if (hours === undefined) return { ...parsedOptions }
  const hour = hours.length % 2 === 0 ? '2-digit' : 'numeric'
  return { ...parsedOptions, hour, ...(hours.startsWith('J') ? { hourCycle: 'h23' } : {}) }
}

const listMark = 'list '

/** The parser knows no lists; a date of a style of our own goes through it unharmed. */
function listsAsDates(text: string): string {
  if (!/,\s*list\s*[,}]/.test(text)) return text
  let result = ''
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const rest = text.slice(index)
    if (rest.startsWith("''")) {
      result += "''"
      index++
      continue
    }
    if (text[index] === "'" && (isQuoted || /^'[{}#|]/.test(rest))) isQuoted = !isQuoted
    const match = isQuoted ? null : /^\{\s*([^\s{},]+)\s*,\s*list\s*(?:,\s*(\w+)\s*)?\}/.exec(rest)
    if (match) {
      result += `{${match[1]}, date, ${listMark}${match[2] ?? 'conjunction'}}`
      index += match[0].length - 1
    } else result += text[index]!
  }
  return result
}
