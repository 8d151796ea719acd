import { formatProblemOf, parseFormat } from './i18next-format.ts'
import { unknownFormat } from './icu-formats.ts'
import { protectQuoted } from './icu-quotes.ts'
import { parseIcu } from './icu.ts'
import { parseVueMessage, vueSyntaxErrorOf } from './vue-message.ts'

/** Parsed message: literal strings and parameters, in order; at least an empty string. */
export type MessageParts = readonly MessagePart[]
export type MessagePart = string | Parameter | Choice | Tag

/** Value of a parameter, inserted as it is or formatted by Intl. */
export interface Parameter {
  readonly param: string
  readonly format?: ParameterFormat
}

/** Format of a value. The options are those of the Intl constructor. */
export interface ParameterFormat {
  readonly kind: 'number' | 'date' | 'list' | 'relative'
  readonly options?: Readonly<Record<string, unknown>>
  /**
   * Number formats: subtracted from the value before formatting, as for ICU's `#` with
   * `offset:1`.
   */
  readonly minus?: number
  /** Relative time formats: unit of the value. */
  readonly unit?: string
}

/** Choice between several messages by the value of a parameter. */
export interface Choice {
  readonly kind: 'plural' | 'ordinal' | 'select'
  readonly param: string
  /** Subtracted from the number before its plural category is determined. */
  readonly offset: number
  /** Messages for exact numbers. */
  readonly exact: ReadonlyMap<number, MessageParts>
  /** Messages by plural category or by value, without `other`. */
  readonly cases: ReadonlyMap<string, MessageParts>
  readonly other: MessageParts
}

/** Element in a message: `<link>terms</link>`, or `<br/>`. */
export interface Tag {
  readonly tag: string
  /** Undefined for a self-closing tag. */
  readonly children?: MessageParts
}

/** Syntax of parameters in messages. */
export type MessageSyntax = 'double-brace' | 'single-brace' | 'percent-brace' | 'icu' | 'vue-i18n'

/** Type of a parameter: string or number, number, date, list of strings, or boolean. */
export type ParameterType = 'value' | 'number' | 'date' | 'list' | 'flag'

const patterns = {
  // i18next also writes `{{- name}}` (unescaped) and `{{name, format}}`.
  'double-brace': /\{\{-?([^{},]+)(?:,([^{}]*))?\}\}/g,
  'single-brace': /\{([^{},]+)\}/g,
  // Rails writes `%{name}`.
  'percent-brace': /%\{([^{},]+)\}/g,
} as const

/**
 * Parses a message. White space outside the braces is preserved. Empty braces and invalid
 * ICU messages are literal text.
 *
 * ```ts
 * parseMessage('Hello {{name}}!') // ['Hello ', { param: 'name' }, '!']
 * ```
 */
export function parseMessage(text: string, syntax: MessageSyntax = 'double-brace'): MessageParts {
  if (syntax === 'icu') return parseIcu(text).parts
  if (syntax === 'vue-i18n') return parseVueMessage(text)
  if (!text.includes('{')) return [text]
  const parts: (string | Parameter)[] = []
  let end = 0
  for (const match of text.matchAll(patterns[syntax])) {
    const param = match[1]!.trim()
    if (param === '') continue
    if (match.index > end) parts.push(text.slice(end, match.index))
    const format = match[2] === undefined ? undefined : parseFormat(match[2])
    parts.push(format ? { param, format } : { param })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

/** Syntax error of a message. */
export interface SyntaxProblem {
  readonly error: string
  /** Number of UTF-16 code units before the error; 0 if its place is unknown. */
  readonly offset: number
  /** Effect of an unsupported format; undefined if the message is not valid. */
  readonly effect?: string
}

/** Returns the syntax error of a message; undefined if it is valid. */
export const syntaxErrorOf = (
  text: string,
  syntax: MessageSyntax,
  hasMarkup = false,
): string | undefined => locateSyntaxError(text, syntax, hasMarkup)?.error

/**
 * Returns the syntax error of a message with its place; undefined if it is valid.
 *
 * @param hasMarkup True with the option `markup`, with which quotes also protect tags.
 */
export function locateSyntaxError(
  text: string,
  syntax: MessageSyntax,
  hasMarkup = false,
): SyntaxProblem | undefined {
  if (syntax === 'icu') {
    const { error, offset = 0, elements } = parseIcu(hasMarkup ? protectQuoted(text) : text)
    if (error !== undefined) return { error, offset }
    const unknown = unknownFormat(elements)
    if (unknown === undefined) return undefined
    return { error: unknown, offset, effect: 'it is ignored' }
  }
  if (syntax === 'vue-i18n') {
    const error = vueSyntaxErrorOf(text)
    return error === undefined ? undefined : { error, offset: 0, effect: 'the rest is never shown' }
  }
  for (const { 2: format, index } of text.matchAll(patterns[syntax])) {
    const problem = format === undefined ? undefined : formatProblemOf(format)
    if (problem) return { ...problem, offset: index }
  }
  return undefined
}

/** Returns the parameter names of a message, without duplicates, in order of appearance. */
export function parametersOf(parts: MessageParts): readonly string[] {
  return [...parameterUsesOf(parts).keys()]
}

/** Returns the parameters of a message with the types that its uses need. */
export function parameterUsesOf(
  parts: MessageParts,
  uses: Map<string, Set<ParameterType>> = new Map(),
): ReadonlyMap<string, ReadonlySet<ParameterType>> {
  const note = (name: string, type: ParameterType): void => {
    uses.set(name, (uses.get(name) ?? new Set()).add(type))
  }
  for (const part of parts) {
    if (typeof part === 'string') continue
    if ('tag' in part) parameterUsesOf(part.children ?? [], uses)
    else if ('cases' in part) {
      note(part.param, part.kind === 'select' ? typeOfCases(part) : 'number')
      for (const inner of branchesOf(part)) parameterUsesOf(inner, uses)
    } else note(part.param, typeOfFormat(part.format))
  }
  return uses
}

/** Returns the type that all uses of a parameter accept. */
export const narrowestOf = (uses: ReadonlySet<ParameterType>): ParameterType =>
  narrowestFirst.find((type) => uses.has(type)) ?? 'value'

/** Types, each narrower than those after it: a date can also be given as a number. */
const narrowestFirst = ['list', 'number', 'date', 'flag', 'value'] as const

/** Returns all branches of a choice. */
export const branchesOf = (choice: Choice): readonly MessageParts[] => [
  ...choice.exact.values(),
  ...choice.cases.values(),
  choice.other,
]

/** `{isNew, select, true {New} other {}}` takes a boolean. */
const typeOfCases = ({ cases }: Choice): ParameterType =>
  ['true', 'false'].some((name) => cases.has(name)) ? 'flag' : 'value'

const typeOfFormat = (format: ParameterFormat | undefined): ParameterType =>
  format === undefined ? 'value' : format.kind === 'relative' ? 'number' : format.kind
