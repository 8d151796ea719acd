import { sendByFetch } from './gateway.js'
import type { Gateway } from './gateway.js'

/** Validator that implements Standard Schema: https://standardschema.dev. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<T>
    readonly types?: { readonly input: T; readonly output: T } | undefined
  }
}

/** The unchanged value, or its issues. */
export type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  /** Text in English. {@link withMessages} replaces it. */
  readonly message: string
  /** `['Lines', 0, 'Quantity']` */
  readonly path: readonly (string | number)[]
  /** Stable name of the problem, to look up a translation. */
  readonly code: StandardIssueCode
  /** Name of the field, and limits that the text may mention. */
  readonly params: Readonly<Record<string, string | number>>
}

export type StandardIssueCode =
  | 'REQUIRED'
  | 'UNKNOWN_FIELD'
  | 'EXPECTED_STRING'
  /** With the parameters `min` and `max`. */
  | 'EXPECTED_INTEGER'
  | 'EXPECTED_NUMBER'
  | 'EXPECTED_BOOLEAN'
  | 'EXPECTED_DATE_TIME'
  | 'EXPECTED_GEO_JSON'
  | 'EXPECTED_OBJECT'
  | 'EXPECTED_ARRAY'
  | 'CIRCULAR'
  /** With the parameter `max`. */
  | 'TOO_DEEP'

/**
 * Returns the validator with other messages, such as translated ones. A message stays as it is
 * if `translate` returns undefined.
 *
 * ```ts
 * withMessages(ProductInsertSchema, ({ code, params }) => messages[code]?.(params))
 * ```
 */
export function withMessages<T>(
  schema: StandardSchema<T>,
  translate: (issue: StandardIssue) => string | undefined,
): StandardSchema<T> {
  const validate = (value: unknown): StandardResult<T> => {
    const result = schema['~standard'].validate(value)
    if (!result.issues) return result
    return {
      issues: result.issues.map((one) => ({ ...one, message: translate(one) ?? one.message })),
    }
  }
  return { ...schema, '~standard': { ...schema['~standard'], validate } }
}

/** Difference between a response and the generated types. */
export interface GatewayDrift extends Omit<StandardIssue, 'params'> {
  /** Name of the query: `Products`. */
  readonly operation: string
  /** Type of the value in the response: `string`, or `null`. */
  readonly received: string
}

/**
 * Creates a gateway that compares the rows of lists with the generated types, and reports each
 * difference once. For development:
 *
 * ```ts
 * import { responseSchemas } from './gateway/gateway-responses.js'
 * const gateway = import.meta.env.DEV ? reportDrift(service, responseSchemas) : service
 * ```
 *
 * @param report Prints a warning by default.
 */
export function reportDrift(
  gateway: Gateway,
  schemas: Readonly<Record<string, StandardSchema<unknown>>>,
  report: (drift: GatewayDrift) => void = ({ operation, path, message, received }) =>
    console.warn(
      `Drift in ${operation}: ${path.join('.')} ${message} (received ${received}). Run servicekit codegen.`,
    ),
): Gateway {
  const reported = new Set()
  const compare = (query: string, data: any): void => {
    // The operations of a document, such as `Products(where:…)` and `page:Products(where:…)`.
    for (const [, alias, operation] of query.matchAll(/(?:(\w+):)?(\w+)\(where:/g) as any) {
      const rows = data?.[alias ?? operation]?.items
      if (!Object.hasOwn(schemas, operation) || !Array.isArray(rows)) continue
      for (const [index, row] of rows.entries()) {
        for (const one of (schemas[operation] as any)['~standard'].validate(row).issues ?? []) {
          const { params: _, ...issue } = one
          const names = one.path.filter((name: any) => typeof name === 'string')
          const id = [operation, ...names, one.code].join()
          if (reported.has(id)) continue
          reported.add(id)
          const value = one.path.reduce((part: any, name: any) => part?.[name], row)
          const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
          report({ ...issue, path: ['items', index, ...one.path], operation, received })
        }
      }
    }
  }
  return {
    ...gateway,
    send: async (request, call) => {
      const response = await (gateway.send ?? sendByFetch)(request, call)
      compare(request.query, dataOf(response.text))
      return response
    },
  }
}

/** Returns the data of a response; undefined if it is not JSON, which the call reports. */
const dataOf: any = (text: string) => {
  try {
    return JSON.parse(text)?.data
  } catch {
    return undefined
  }
}

const isObject: any = (value: any) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const dateTime = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** Accepts a `Date`, and the dates that the gateway accepts. */
function isDate(value: unknown): boolean {
  if (value instanceof Date) return !Number.isNaN(value.getTime())
  const match = typeof value === 'string' ? dateTime.exec(value) : null
  if (match === null) return false
  const [text, day, time = '00:00', seconds = '00'] = match
  const instant = Date.parse(text)
  // Date.parse accepts 30 February and 24:00, as the day after.
  const local = `${day}T${time}:${seconds}`
  const parsed = Date.parse(`${local}Z`)
  return (
    !Number.isNaN(instant) &&
    !Number.isNaN(parsed) &&
    new Date(parsed).toISOString().startsWith(local) &&
    /^\d{4}-/.test(new Date(instant).toISOString())
  )
}

/**
 * Accepts a number only up to 2^53 - 1, except in a row: `reportDrift` compares rows that JSON.parse
 * has rounded.
 */
function isLong(value: unknown, isRow: boolean): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value
  return isRow ? Number.isInteger(value) : Number.isSafeInteger(value)
}

/** As strings, because a number would round them. */
const longLimits = { min: '-9223372036854775808', max: '9223372036854775807' }

/** Check of each scalar, the code of its issues, their text and parameters. */
const checks: any = {
  String: [(value: any) => typeof value === 'string', 'EXPECTED_STRING', 'must be a string'],
  ID: [(value: any) => typeof value === 'string', 'EXPECTED_STRING', 'must be a string'],
  Int: [
    (value: any) => Number.isInteger(value) && (value | 0) === value,
    'EXPECTED_INTEGER',
    'must be a 32-bit integer',
    { min: -2147483648, max: 2147483647 },
  ],
  Long: [
    (value: any) => Number.isSafeInteger(value) || typeof value === 'bigint',
    'EXPECTED_INTEGER',
    'must be an integer',
    { min: -9007199254740991, max: 9007199254740991 },
  ],
  LongBigint: [isLong, 'EXPECTED_INTEGER', 'must be an integer of 64 bits', longLimits],
  LongString: [
    (value: any, isRow: boolean) =>
      isLong(typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : value, isRow),
    'EXPECTED_INTEGER',
    'must be an integer of 64 bits',
    longLimits,
  ],
  Float: [(value: any) => Number.isFinite(value), 'EXPECTED_NUMBER', 'must be a number'],
  Boolean: [(value: any) => typeof value === 'boolean', 'EXPECTED_BOOLEAN', 'must be a boolean'],
  DateTime: [isDate, 'EXPECTED_DATE_TIME', 'must be an ISO 8601 date, with or without time'],
  GeoJson: [
    (value: any) => isObject(value) && typeof value.type === 'string',
    'EXPECTED_GEO_JSON',
    'must be a GeoJSON object',
  ],
  unknown: [() => true],
}

/** Limit of nesting, for values that contain themselves. */
const deepest = 100

/**
 * @param isRow Validates rows: other members are ignored, and lists may contain null.
 * @internal
 */
export const validator: any = (members: any, isRow?: boolean) => {
  const visit = (value: any, path: any, issues: any, above: readonly any[] = []): void => {
    const add = (code: any, message: string, path: any, params?: any): void => {
      const field = path.findLast((name: any) => typeof name === 'string') ?? ''
      issues.push({ code, message, path, params: { field, ...params } })
    }
    if (!isObject(value)) return add('EXPECTED_OBJECT', 'must be an object', path)
    if (above.includes(value)) return add('CIRCULAR', 'contains itself', path)
    if (above.length === deepest)
      return add('TOO_DEEP', `is nested deeper than ${deepest} objects`, path, { max: deepest })
    for (const name of isRow ? [] : Object.keys(value)) {
      if (Object.hasOwn(members, name) || value[name] === undefined) continue
      add('UNKNOWN_FIELD', 'is not a field of this schema', [...path, name])
    }
    for (const [name, member] of (Object as any).entries(members)) {
      const [text, nested] = Array.isArray(member) ? [member[0], member[1]] : [member, undefined]
      const given = Object.hasOwn(value, name) ? value[name] : undefined
      const at = [...path, name]
      if (given === undefined || given === null) {
        if (text.endsWith('!')) add('REQUIRED', 'is required', at)
        continue
      }
      const one = (item: any, where: any): void => {
        if (isRow && item === null) return
        if (nested) return nested()['~visit'](item, where, issues, [...above, value])
        const [isRight, code, what, params] = checks[text.replace(/[\[\]!]/g, '')]
        if (!isRight(item, isRow)) add(code, what, where, params)
      }
      if (!text.startsWith('[')) one(given, at)
      else if (!Array.isArray(given)) add('EXPECTED_ARRAY', 'must be an array', at)
      else given.forEach((item, index) => one(item, [...at, index]))
    }
  }
  return {
    '~visit': visit,
    '~standard': {
      version: 1,
      vendor: 'servicekit',
      validate: (value: any) => {
        const issues: any = []
        visit(value, [], issues)
        return issues.length > 0 ? { issues } : { value }
      },
    },
  }
}
