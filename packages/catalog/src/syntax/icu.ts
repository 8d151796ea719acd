import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { dateFormat, listMark, numberFormat } from './icu-formats.ts'
import type { Choice, MessagePart, MessageParts } from './message.ts'

/**
 * Parses an ICU message. Tags such as `<b>` are plain text. In addition to the ICU types
 * it supports `{names, list}`, optionally followed by `conjunction` (default),
 * `disjunction` or `unit`.
 *
 * @returns the parts, or for an invalid message the text itself, the error, and where it is.
 */
export function parseIcu(text: string): {
  readonly parts: MessageParts
  /** Elements of the message, for further checks; empty for a text without syntax. */
  readonly elements: readonly MessageFormatElement[]
  readonly error?: string
  readonly offset?: number
} {
  // Only braces and apostrophes are special.
  if (!/[{}']/.test(text)) return { parts: [text], elements: [] }
  const parsed = listsAsDates(text)
  try {
    const elements = parse(parsed, { ignoreTag: true, shouldParseSkeletons: true })
    return { parts: readElements(elements, undefined), elements }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // The parser throws constant-like error names.
    const isName = /^[A-Z_]+$/.test(reason)
    const { location } = error as { location?: { readonly start: { readonly offset: number } } }
    return {
      parts: [text],
      elements: [],
      error: isName ? reason.toLowerCase().replaceAll('_', ' ') : reason,
      ...(location && { offset: withLists(parsed.slice(0, location.start.offset)).length }),
    }
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
      return withLists(element.value)
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
      const kind = pluralType === 'ordinal' ? 'ordinal' : 'plural'
      const cases = Object.entries(element.options)
      return choiceOf(kind, value, offset, cases, { param: value, offset })
    }
    default:
      // Tags are not parsed.
      return ''
  }
}

function choiceOf(
  kind: Choice['kind'],
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
    else if (kind !== 'select' && name.startsWith('=')) exact.set(Number(name.slice(1)), parts)
    else cases.set(name, parts)
  }
  return { kind, param, offset, exact, cases, other }
}

/** Text that {@link listsAsDates} inserts before the word `list`. */
const dateType = `date, ${listMark}`

/**
 * The parser does not support lists, so they are passed through it as dates with a custom style.
 * Also those in quotes, because only the parser knows what is quoted; {@link withLists} restores
 * them.
 */
const listsAsDates = (text: string): string =>
  text.replaceAll(
    /(\{\s*[^\s{},]+\s*,\s*)(list\s*(?:,\s*\w+\s*)?\})/g,
    (_, start: string, rest: string) => start + dateType + rest,
  )

const withLists = (text: string): string => text.replaceAll(dateType, '')
