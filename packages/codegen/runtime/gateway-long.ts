import { parseExactJson, printExactJson } from './gateway-exact-json.js'
import { longFilter, longRoots, longSchemas, longType } from './gateway-longs.js'
import { selectionOf } from './gateway-selection.js'
import type { Gateway, GatewayError } from './gateway.js'
import type { GatewayAny, GatewayJson, GatewayLongs, GatewayVariables } from './gateway-types.js'
import type { GatewaySelected } from './gateway-selection.js'

type Path = readonly (string | number)[]

/** Returns the value that a call returns for one of type Long. Reports one that it cannot return. */
type ReadLong = (value: unknown, path: Path, errors: GatewayError[]) => unknown

/** Returns the Longs of a member: `true` if it is one, undefined if it contains none. */
const memberOf = (longs: GatewayLongs, name: string): GatewayLongs | true | undefined => {
  const member = Object.hasOwn(longs, name) ? longs[name] : undefined
  return typeof member === 'function' ? member() : member || undefined
}

/**
 * Replaces the Longs of a parsed value.
 *
 * @param exact The same value, whose integers beyond 2^53 - 1 are bigints.
 * @param read Returns the value of a Long.
 */
function withLongs(
  value: GatewayAny,
  exact: GatewayAny,
  longs: GatewayLongs | true,
  path: Path,
  read: (value: unknown, path: Path) => unknown,
): unknown {
  if (value === null || value === undefined) return value
  if (Array.isArray(value))
    return value.map((item, at) => withLongs(item, exact[at], longs, [...path, at], read))
  if (longs === true) return read(exact, path)
  for (const name of Object.keys(longs)) {
    if (!Object.hasOwn(value, name)) continue
    const members = memberOf(longs, name)!
    value[name] = withLongs(value[name], exact[name], members, [...path, name], read)
  }
  return value
}

/**
 * Returns the JSON of requests with bigints, and of responses whose data has these Longs.
 *
 * @param parseExact Parses values that a number would round; without it, they are reported.
 */
const jsonOf = (
  read: ReadLong,
  longsOf: (data: object) => GatewayLongs,
  parseExact?: typeof parseExactJson,
): GatewayJson => ({
  parse: (text) => withLongsOf(JSON.parse(text), text, read, longsOf, parseExact, []),
  stringify: printExactJson,
})

function withLongsOf(
  body: GatewayAny,
  text: string,
  read: ReadLong,
  longsOf: (data: object) => GatewayLongs,
  parseExact: typeof parseExactJson | undefined,
  errors: GatewayError[],
): GatewayAny {
  if (!body?.data) return body
  const exact: GatewayAny = parseExact ? parseExact(text) : body
  const data = withLongs(body.data, exact.data, longsOf(body.data), [], (value, path) =>
    read(value, path, errors),
  )
  return errors.length > 0 ? { data, errors: [...(body.errors ?? []), ...errors] } : body
}

/**
 * Returns the JSON of a document with data of any types: besides its Longs, integers that a number
 * would round.
 */
const jsonOfAny = (
  read: ReadLong,
  longsOf: (data: object) => GatewayLongs,
  parseExact?: typeof parseExactJson,
): GatewayJson => ({
  stringify: printExactJson,
  parse: (text) => {
    const errors: GatewayError[] = []
    const visit = (value: GatewayAny, path: Path): unknown => {
      if (typeof value === 'bigint') {
        const isExactNumber = String(Number(value)) === String(value)
        return isExactNumber ? Number(value) : read(value, path, errors)
      }
      if (typeof value !== 'object' || value === null) return value
      for (const [name, member] of Object.entries(value))
        value[name] = visit(member, [...path, Array.isArray(value) ? Number(name) : name])
      return value
    }
    const parsed: GatewayAny = parseExactJson(text)
    const body = parsed?.data ? { ...parsed, data: visit(parsed.data, []) } : parsed
    return withLongsOf(body, text, read, longsOf, parseExact, errors)
  },
})

/** Every root field of a generated document is a page of the schema. */
const pagesOf =
  (longs: GatewayLongs) =>
  (data: object): GatewayLongs => {
    const page = () => ({ items: () => longs })
    return Object.fromEntries(Object.keys(data).map((field) => [field, page]))
  }

/** Reports a Long that may be rounded, and returns null instead. */
function reportRounded(path: Path, errors: GatewayError[], help: string): null {
  const message = `${path.join('.')} is beyond 2^53 - 1, so a number may be rounded. ${help}`
  errors.push({ message, path, extensions: { code: 'LONG_ROUNDED' } })
  return null
}

const isUnsafe = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER

const readNumber: ReadLong = (value, path, errors) =>
  typeof value === 'bigint' || isUnsafe(value)
    ? reportRounded(path, errors, 'Set the option long, or leave the field out of the selection')
    : value

const isInteger = (value: unknown): value is string | number | bigint =>
  typeof value === 'bigint' || Number.isInteger(value) || /^-?\d+$/.test(value as string)

/** Converts a Long of exact JSON. One that a service writes as `9.1e15` is a number there. */
function convertLong(
  value: unknown,
  path: Path,
  errors: GatewayError[],
  convert: (value: string | number | bigint) => unknown,
): unknown {
  if (isUnsafe(value)) return reportRounded(path, errors, 'The service must write its digits')
  return isInteger(value) ? convert(value) : value
}

const readBigint: ReadLong = (value, path, errors) => convertLong(value, path, errors, BigInt)

const readString: ReadLong = (value, path, errors) => convertLong(value, path, errors, String)

/** Reads Longs as numbers, and fails for those beyond 2^53 - 1. @internal */
export function longsAsNumbers(longs: GatewayLongs): GatewayJson {
  return jsonOf(readNumber, pagesOf(longs))
}

/** Reads Longs as bigints. @internal */
export function longsAsBigints(longs: GatewayLongs): GatewayJson {
  return jsonOf(readBigint, pagesOf(longs), parseExactJson)
}

/** Reads Longs as strings of digits. @internal */
export function longsAsStrings(longs: GatewayLongs): GatewayJson {
  return jsonOf(readString, pagesOf(longs), parseExactJson)
}

/**
 * Returns an operation that also takes strings of digits for Longs, which it sends as numbers.
 *
 * @param longs Longs of its inputs and conditions, or of its options.
 * @param unchanged Number of arguments that it takes as they are: conditions of strings.
 * @internal
 */
export function sendingStrings(
  longs: GatewayLongs,
  operation: GatewayAny,
  unchanged = 0,
): GatewayAny {
  return (gateway: Gateway, ...args: readonly unknown[]): unknown => {
    const converted = args.slice(unchanged).map((value) => toIntegers(value, longs, 0))
    return operation(gateway, ...args.slice(0, unchanged), ...converted)
  }
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
  readonly json: GatewayJson
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
  if (longType === 'number') return { json: jsonOfAny(read, () => ({})), variablesOf: unchanged }
  const roots = Object.entries(longRoots).map(([field, name]) => {
    const page = () => ({ items: () => longsOfSchema(name) })
    return [field, page] as const
  })
  const longs = selectedLongs(selectionOf(document), Object.fromEntries(roots))
  const json = jsonOfAny(read, () => longs, parseExactJson)
  if (longType === 'bigint') return { json, variablesOf: unchanged }
  const variables = [...document.matchAll(/\$(\w+)\s*:[\s[]*(\w+)/g)]
  const definitions = variables.filter(
    ([, , type = '']) => longFilter === 'number' || !type.endsWith('FilterInput'),
  )
  const sent = definitions.map(([, name = '', type = '']) => {
    const schema = type.replace(/(?:Filter|Insert|Update)Input$/, '')
    const isLong = /^Long(?:OperationFilterInput)?$/.test(type)
    return [name, isLong || (() => longsOfSchema(schema))] as const
  })
  return {
    json,
    variablesOf: (given) => toIntegers(given, Object.fromEntries(sent), 0) as GatewayVariables,
  }
}
