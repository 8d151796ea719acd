import { longRoots, longSchemas, longType } from './gateway-longs.js'
import { selectionOf } from './gateway-selection.js'
import type {
  Gateway,
  GatewayAny,
  GatewayError,
  GatewayLongs,
  GatewayParse,
  GatewayVariables,
} from './gateway.js'
import type { GatewaySelected } from './gateway-selection.js'

type Path = readonly (string | number)[]

/** Returns the value that a call returns for one of type Long. Reports one that it cannot return. */
type ReadLong = (value: unknown, path: Path, errors: GatewayError[]) => unknown

/** Returns the Longs of a member: `true` if it is one, undefined if it contains none. */
const memberOf = (longs: GatewayLongs, name: string): GatewayLongs | true | undefined => {
  const member = Object.hasOwn(longs, name) ? longs[name] : undefined
  return typeof member === 'function' ? member() : member || undefined
}

/** Returns whether a quote within a string follows an odd number of backslashes. */
function isEscaped(text: string, quote: number): boolean {
  let start = quote
  while (text[start - 1] === '\\') start--
  return (quote - start) % 2 === 1
}

/** Returns valid JSON whose integers beyond 2^53 - 1 are strings that begin with the mark. */
function markIntegers(text: string, mark: string): string {
  let marked = ''
  /** End of the text that is part of the result. */
  let copied = 0
  /** End of the text whose quotes are counted. */
  let counted = 0
  let isInString = false
  for (const { 0: digits, index } of text.matchAll(/-?\d{16,}/g)) {
    for (;;) {
      const quote = text.indexOf('"', counted)
      if (quote === -1 || quote > index) break
      if (!isInString || !isEscaped(text, quote)) isInString = !isInString
      counted = quote + 1
    }
    const end = index + digits.length
    const isPart = /[.eE+]/.test((text[index - 1] ?? '') + (text[end] ?? ''))
    if (isInString || isPart || Number.isSafeInteger(Number(digits))) continue
    marked += `${text.slice(copied, index)}"${mark}${digits}"`
    copied = end
  }
  return marked + text.slice(copied)
}

/** Replaces the strings that begin with the mark. */
function withBigints(value: GatewayAny, mark: string): GatewayAny {
  if (typeof value === 'string')
    return value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value
  if (typeof value !== 'object' || value === null) return value
  for (const name of Object.keys(value)) value[name] = withBigints(value[name], mark)
  return value
}

/**
 * Parses valid JSON like JSON.parse, which rounds integers beyond 2^53 - 1. Each of them is a
 * bigint here; all other numbers are numbers.
 */
function parseExactly(text: string): GatewayAny {
  // JSON has one form of the character U+0001, so no string of the text begins with the mark.
  const used = new Set(text.match(/\\u0001\d+:/g))
  let count = 0
  while (used.has(`\\u0001${count}:`)) count++
  const mark = `\\u0001${count}:`
  return withBigints(JSON.parse(markIntegers(text, mark)), JSON.parse(`"${mark}"`))
}

/**
 * Replaces the Longs of a parsed value.
 *
 * @param exact The same value, whose integers beyond 2^53 - 1 are bigints.
 */
function convert(
  value: GatewayAny,
  exact: GatewayAny,
  longs: GatewayLongs | true,
  path: Path,
  report: (value: unknown, path: Path) => unknown,
): unknown {
  if (value === null || value === undefined) return value
  if (Array.isArray(value))
    return value.map((item, index) => convert(item, exact[index], longs, [...path, index], report))
  if (longs === true) return report(exact, path)
  for (const name of Object.keys(longs)) {
    if (!Object.hasOwn(value, name)) continue
    value[name] = convert(value[name], exact[name], memberOf(longs, name)!, [...path, name], report)
  }
  return value
}

type Parse = (text: string, errors: GatewayError[]) => GatewayAny

/** Creates the parser of responses whose data has these Longs. */
const parserOf =
  (
    read: ReadLong,
    longsOf: (data: object) => GatewayLongs,
    isExact: boolean,
    parse: Parse = (text) => JSON.parse(text),
  ) =>
  (text: string): GatewayAny => {
    const errors: GatewayError[] = []
    const body = parse(text, errors)
    if (!body?.data) return body
    // Only integers of 16 digits and more can be rounded.
    const exact = isExact && /\d{16}/.test(text) ? parseExactly(text) : body
    const data = convert(body.data, exact.data, longsOf(body.data), [], (value, path) =>
      read(value, path, errors),
    )
    return errors.length > 0 ? { data, errors: [...(body.errors ?? []), ...errors] } : body
  }

/** Creates the parser of data of any types, which reads integers that a number would round. */
const parserOfAny =
  (read: ReadLong): Parse =>
  (text, errors) => {
    const rounded = JSON.parse(text)
    if (!/\d{16}/.test(text)) return rounded
    const visit = (value: GatewayAny, path: Path): unknown => {
      if (typeof value === 'bigint') {
        const isExact = String(Number(value)) === String(value)
        return isExact ? Number(value) : read(value, path, errors)
      }
      if (typeof value !== 'object' || value === null) return value
      for (const [name, member] of Object.entries(value))
        value[name] = visit(member, [...path, Array.isArray(value) ? Number(name) : name])
      return value
    }
    const body = parseExactly(text)
    return { ...body, data: visit(body?.data, []) }
  }

/** Every root field of a generated document is a page of the schema. */
const pagesOf =
  (longs: GatewayLongs) =>
  (data: object): GatewayLongs => {
    const page = () => ({ items: () => longs })
    return Object.fromEntries(Object.keys(data).map((field) => [field, page]))
  }

const readNumber: ReadLong = (value, path, errors) => {
  const isRounded =
    typeof value === 'number'
      ? Math.abs(value) > Number.MAX_SAFE_INTEGER
      : typeof value === 'bigint'
  if (!isRounded) return value
  const message = `${path.join('.')} is beyond 2^53 - 1, so a number may be rounded. Set the option long, or leave the field out of the selection`
  errors.push({ message, path, extensions: { code: 'LONG_ROUNDED' } })
  return null
}

const isInteger = (value: unknown): value is string | number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value) || /^-?\d+$/.test(value as string)

const readBigint: ReadLong = (value) => (isInteger(value) ? BigInt(value) : value)

const readString: ReadLong = (value) => (isInteger(value) ? String(value) : value)

/** Reads Longs as numbers, and fails for those beyond 2^53 - 1. @internal */
export function longsAsNumbers(longs: GatewayLongs): GatewayParse {
  return parserOf(readNumber, pagesOf(longs), false)
}

/** Reads Longs as bigints. @internal */
export function longsAsBigints(longs: GatewayLongs): GatewayParse {
  return parserOf(readBigint, pagesOf(longs), true)
}

/** Reads Longs as strings of digits. @internal */
export function longsAsStrings(longs: GatewayLongs): GatewayParse {
  return parserOf(readString, pagesOf(longs), true)
}

/**
 * Returns an operation that also takes strings of digits for Longs, which it sends as numbers.
 *
 * @param longs Longs of its inputs and conditions, or of its options.
 * @internal
 */
export function sendingStrings(longs: GatewayLongs, operation: GatewayAny): GatewayAny {
  return (gateway: Gateway, ...args: readonly unknown[]): unknown =>
    operation(gateway, ...args.map((value) => toIntegers(value, longs, 0)))
}

/** Returns a value in which strings of digits are integers where there is a Long. */
function toIntegers(
  value: unknown,
  longs: GatewayLongs | true | undefined,
  depth: number,
): unknown {
  if (longs === true && typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value)
  // A value that contains itself is reported when it is printed.
  if (longs === undefined || typeof value !== 'object' || value === null || depth > 500)
    return value
  if (Array.isArray(value)) return value.map((item) => toIntegers(item, longs, depth + 1))
  if ('toJSON' in value) return value
  const members = Object.entries(value).map(([name, member]) => {
    // Operators of a condition, and what combines conditions, have the Longs of what they are in.
    const isInherited = longs === true || /^(?:and|or)$/.test(name)
    const inner = longs === true ? longs : memberOf(longs, name)
    return [
      name,
      toIntegers(member, inner ?? (isInherited ? longs : undefined), depth + 1),
    ] as const
  })
  return Object.fromEntries(members)
}

/** Longs of any schema, by its name. */
const longsOfSchema = (name: string): GatewayLongs =>
  Object.fromEntries(
    Object.entries(longSchemas[name] ?? {}).map(([field, of]) => [
      field,
      of === 'Long' ? true : () => longsOfSchema(of),
    ]),
  )

/** Longs of a selection, by the names of the response, which differ from those of fields. */
function selectedLongs(selection: readonly GatewaySelected[], longs: GatewayLongs): GatewayLongs {
  const selected = selection.flatMap(({ name, field }) => {
    const member = memberOf(longs, field)
    if (member === undefined) return []
    // A document may select an object several times, each time with other members.
    const members = selection.flatMap((one) => (one.name === name ? one.members : []))
    return [[name, member === true || (() => selectedLongs(members, member))] as const]
  })
  return Object.fromEntries(selected)
}

/** Sends and reads the Longs of a document. @internal */
export interface GatewayLongDocument {
  readonly parse: GatewayParse
  /** Returns the variables to send. */
  readonly variablesOf: (given: GatewayVariables) => GatewayVariables
}

/**
 * Returns how the Longs of any document are sent and read. As numbers, any integer fails that a
 * number rounds, whatever its type.
 *
 * @internal
 */
export function longsOfDocument(document: string): GatewayLongDocument {
  const unchanged = (given: GatewayVariables): GatewayVariables => given
  const reads = { number: readNumber, bigint: readBigint, string: readString }
  const read = reads[longType]
  const any = parserOfAny(read)
  if (longType === 'number')
    return { parse: parserOf(read, () => ({}), false, any), variablesOf: unchanged }
  const roots = Object.entries(longRoots).map(([field, name]) => {
    const page = () => ({ items: () => longsOfSchema(name) })
    return [field, page] as const
  })
  const longs = selectedLongs(selectionOf(document), Object.fromEntries(roots))
  const parse = parserOf(read, () => longs, true, any)
  if (longType === 'bigint') return { parse, variablesOf: unchanged }
  const definitions = [...document.matchAll(/\$(\w+)\s*:[\s[]*(\w+)/g)]
  const sent = definitions.map(([, name = '', type = '']) => {
    const schema = type.replace(/(?:Filter|Insert|Update)Input$/, '')
    const isLong = /^Long(?:OperationFilterInput)?$/.test(type)
    return [name, isLong || (() => longsOfSchema(schema))] as const
  })
  return {
    parse,
    variablesOf: (given) => toIntegers(given, Object.fromEntries(sent), 0) as GatewayVariables,
  }
}
