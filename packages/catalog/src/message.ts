import { formatErrorOf, parseFormat } from './i18next-format.ts'
import { parseIcu } from './icu.ts'

/** A text taken apart: literal strings and what is put between them, in order. */
export type MessageParts = readonly MessagePart[]
export type MessagePart = string | Insert | Choice

/** A parameter's value, as it is or through Intl. */
export interface Insert {
  readonly param: string
  readonly format?: Format
}

/** How a value is shown; the options are those of the Intl constructor. */
export interface Format {
  readonly kind: 'number' | 'date' | 'list' | 'relative'
  readonly options?: Readonly<Record<string, unknown>>
  /** Of a number: what is taken from the value first, as ICU's `#` after `offset:1` asks. */
  readonly minus?: number
  /** Of a relative time. */
  readonly unit?: string
}

/** One of several texts, chosen by a parameter. */
export interface Choice {
  readonly choose: 'plural' | 'ordinal' | 'select'
  readonly param: string
  /** Taken from the number before its category is looked for. */
  readonly offset: number
  /** Texts for exactly these numbers. */
  readonly exact: ReadonlyMap<number, MessageParts>
  /** Texts by plural category or by value, `other` left out. */
  readonly cases: ReadonlyMap<string, MessageParts>
  readonly other: MessageParts
}

/** How parameters are written in a text. */
export type MessageSyntax = 'double-brace' | 'single-brace' | 'icu'

/** What may stand for a parameter: text or number, a number, a date, a list of texts, yes or no. */
export type ParameterType = 'value' | 'number' | 'date' | 'list' | 'flag'

const patterns = {
  // i18next also writes `{{- name}}` (unescaped) and `{{name, format}}`.
  'double-brace': /\{\{-?([^{},]+)(?:,([^{}]*))?\}\}/g,
  'single-brace': /\{([^{},]+)\}/g,
} as const

/**
 * Takes a text apart. White space outside the braces is kept exactly; braces
 * around nothing are text, and so is a text that is no ICU message.
 *
 * ```ts
 * parseMessage('Hello {{name}}!') // ['Hello ', { param: 'name' }, '!']
 * ```
 */
export function parseMessage(text: string, syntax: MessageSyntax = 'double-brace'): MessageParts {
  if (syntax === 'icu') return parseIcu(text).parts
  const brace = syntax === 'double-brace' ? '{{' : '{'
  if (!text.includes(brace)) return [text]
  const parts: (string | Insert)[] = []
  let end = 0
  for (const match of text.matchAll(patterns[syntax])) {
    const param = match[1]!.trim()
    if (param === '') continue
    if (match.index > end) parts.push(text.slice(end, match.index))
    const format = match[2] === undefined ? undefined : parseFormat(match[2])
    parts.push(format ? { param, format } : { param })
    end = match.index + match[0].length
  }
  if (end < text.length || parts.length === 0) parts.push(text.slice(end))
  return parts
}

/** Returns what is wrong with a text as a message; undefined where nothing is. */
export function syntaxErrorOf(text: string, syntax: MessageSyntax): string | undefined {
  if (syntax === 'icu') return parseIcu(text).error
  if (syntax === 'single-brace' || !text.includes('{{')) return undefined
  for (const [, , format] of text.matchAll(patterns[syntax])) {
    const error = format === undefined ? undefined : formatErrorOf(format)
    if (error !== undefined) return error
  }
  return undefined
}

/** Names of the parameters of a text, each once, in order of appearance. */
export function parametersOf(parts: MessageParts): readonly string[] {
  return [...parameterTypesOf(parts).keys()]
}

/** The parameters of a text and what may stand for each. */
export function parameterTypesOf(
  parts: MessageParts,
  types: Map<string, ParameterType> = new Map(),
): ReadonlyMap<string, ParameterType> {
  for (const part of parts) {
    if (typeof part === 'string') continue
    if ('choose' in part) {
      note(types, part.param, part.choose === 'select' ? typeOfCases(part) : 'number')
      for (const inner of branchesOf(part)) parameterTypesOf(inner, types)
    } else note(types, part.param, typeOfFormat(part.format))
  }
  return types
}

/** Every text that a choice may show. */
export const branchesOf = (choice: Choice): readonly MessageParts[] => [
  ...choice.exact.values(),
  ...choice.cases.values(),
  choice.other,
]

/** `{isNew, select, true {New} other {}}` is asked with a boolean. */
const typeOfCases = ({ cases }: Choice): ParameterType =>
  ['true', 'false'].some((name) => cases.has(name)) ? 'flag' : 'value'

/** A parameter that is shown twice has the narrower type of both. */
function note(types: Map<string, ParameterType>, name: string, type: ParameterType): void {
  if (type !== 'value' || !types.has(name)) types.set(name, type)
}

const typeOfFormat = (format: Format | undefined): ParameterType =>
  format === undefined ? 'value' : format.kind === 'relative' ? 'number' : format.kind
