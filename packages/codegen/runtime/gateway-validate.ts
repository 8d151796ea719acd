import { sendByFetch } from './gateway-request.js'
import type { Gateway } from './gateway.js'
import type { GatewayAny } from './gateway-types.js'

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
  const reported = new Set<string>()
  const compare = (operation: string, rows: readonly unknown[]): void => {
    for (const [index, row] of rows.entries()) {
      for (const issue of schemas[operation]!['~standard'].validate(row).issues ?? []) {
        const { params: _, ...difference } = issue
        const names = issue.path.filter((name) => typeof name === 'string')
        const id = [operation, ...names, issue.code].join()
        if (reported.has(id)) continue
        reported.add(id)
        const received = typeAt(row, issue.path)
        report({ ...difference, path: ['items', index, ...issue.path], operation, received })
      }
    }
  }
  return {
    ...gateway,
    send: async (request, call) => {
      const response = await (gateway.send ?? sendByFetch)(request, call)
      const data = dataOf(response.text)
      for (const operation of Object.keys(Object(data))) {
        const rows = data[operation]?.items
        if (Object.hasOwn(schemas, operation) && Array.isArray(rows)) compare(operation, rows)
      }
      return response
    },
  }
}

/** Returns the data of a response; undefined if it is not JSON, which the call reports. */
function dataOf(text: string): GatewayAny {
  try {
    return JSON.parse(text)?.data
  } catch {
    return undefined
  }
}

/** Returns the type of the value at a path. */
function typeAt(row: unknown, path: StandardIssue['path']): string {
  const value = path.reduce((part: GatewayAny, name) => part?.[name], row)
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Members by name: the type of a scalar such as `[Float]!`, or of an object. @internal */
export interface GatewayMembers {
  readonly [name: string]:
    | string
    | { readonly type: string; readonly of: () => StandardSchema<GatewayAny> }
}

type Path = StandardIssue['path']

/** Reports the issues of a value. @param above Objects that contain it. */
type Visit = (
  value: unknown,
  path: Path,
  issues: StandardIssue[],
  above: readonly unknown[],
) => void

/** Validator that those of other schemas call for nested objects. */
interface Visitor extends StandardSchema<GatewayAny> {
  readonly '~visit': Visit
}

/** Limit of nesting, for values that contain themselves. */
const deepest = 100

/**
 * @param isRow Validates rows: other members are ignored, and lists may contain null.
 * @internal
 */
export function validator(members: GatewayMembers, isRow = false): StandardSchema<GatewayAny> {
  const visit: Visit = (value, path, issues, above) => {
    if (!isObject(value)) return addIssue(issues, path, 'EXPECTED_OBJECT', 'must be an object')
    if (above.includes(value)) return addIssue(issues, path, 'CIRCULAR', 'contains itself')
    if (above.length === deepest) {
      const text = `is nested deeper than ${deepest} objects`
      return addIssue(issues, path, 'TOO_DEEP', text, { max: deepest })
    }
    if (!isRow) reportUnknown(value, path, issues)
    for (const [name, member] of Object.entries(members)) {
      const { type, of } = typeof member === 'string' ? { type: member, of: undefined } : member
      const item = Object.hasOwn(value, name) ? value[name] : undefined
      visitMember(item, type, of?.(), [...path, name], issues, [...above, value])
    }
  }
  const reportUnknown = (value: object, path: Path, issues: StandardIssue[]): void => {
    for (const [name, member] of Object.entries(value)) {
      if (Object.hasOwn(members, name) || member === undefined) continue
      addIssue(issues, [...path, name], 'UNKNOWN_FIELD', 'is not a field of this schema')
    }
  }
  const visitMember = (
    value: unknown,
    type: string,
    nested: StandardSchema<GatewayAny> | undefined,
    path: Path,
    issues: StandardIssue[],
    above: readonly unknown[],
  ): void => {
    if (value === undefined || value === null) {
      if (type.endsWith('!')) addIssue(issues, path, 'REQUIRED', 'is required')
      return
    }
    const visitItem = (item: unknown, at: Path): void => {
      if (isRow && item === null) return
      if (nested) (nested as Visitor)['~visit'](item, at, issues, above)
      else checkScalar(item, type.replaceAll(/[[\]!]/g, ''), isRow, at, issues)
    }
    if (!type.startsWith('[')) visitItem(value, path)
    else if (!Array.isArray(value)) addIssue(issues, path, 'EXPECTED_ARRAY', 'must be an array')
    else value.forEach((item, index) => visitItem(item, [...path, index]))
  }
  const schema: Visitor = {
    '~visit': visit,
    '~standard': {
      version: 1,
      vendor: 'servicekit',
      validate: (value) => {
        const issues: StandardIssue[] = []
        visit(value, [], issues, [])
        return issues.length > 0 ? { issues } : { value }
      },
    },
  }
  return schema
}

function addIssue(
  issues: StandardIssue[],
  path: Path,
  code: StandardIssueCode,
  message: string,
  params?: StandardIssue['params'],
): void {
  const field = path.findLast((name) => typeof name === 'string') ?? ''
  issues.push({ code, message, path, params: { field, ...params } })
}

function checkScalar(
  value: unknown,
  type: string,
  isRow: boolean,
  path: Path,
  issues: StandardIssue[],
): void {
  const check = checks[type]
  if (check === undefined || check.isValid(value, isRow)) return
  addIssue(issues, path, check.code, check.message, check.params)
}

interface ScalarCheck {
  readonly isValid: (value: unknown, isRow: boolean) => boolean
  readonly code: StandardIssueCode
  readonly message: string
  readonly params?: StandardIssue['params']
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const text: ScalarCheck = {
  isValid: (value) => typeof value === 'string',
  code: 'EXPECTED_STRING',
  message: 'must be a string',
}

/** As strings, because a number would round them. */
const longLimits = { min: '-9223372036854775808', max: '9223372036854775807' }

const isDigits = (value: unknown): value is string =>
  typeof value === 'string' && /^-?\d+$/.test(value)

/** Checks of the scalars. A value of another type is not checked. */
const checks: Readonly<Record<string, ScalarCheck>> = {
  String: text,
  ID: text,
  Int: {
    isValid: (value) => Number.isInteger(value) && ((value as number) | 0) === value,
    code: 'EXPECTED_INTEGER',
    message: 'must be a 32-bit integer',
    params: { min: -2147483648, max: 2147483647 },
  },
  Long: {
    isValid: (value) => isLong(value, false),
    code: 'EXPECTED_INTEGER',
    message: 'must be an integer',
    params: { min: -9007199254740991, max: 9007199254740991 },
  },
  LongBigint: {
    isValid: isLong,
    code: 'EXPECTED_INTEGER',
    message: 'must be an integer of 64 bits',
    params: longLimits,
  },
  LongString: {
    isValid: (value, isRow) => isLong(isDigits(value) ? BigInt(value) : value, isRow),
    code: 'EXPECTED_INTEGER',
    message: 'must be an integer of 64 bits',
    params: longLimits,
  },
  Float: {
    isValid: (value) => Number.isFinite(value),
    code: 'EXPECTED_NUMBER',
    message: 'must be a number',
  },
  Boolean: {
    isValid: (value) => typeof value === 'boolean',
    code: 'EXPECTED_BOOLEAN',
    message: 'must be a boolean',
  },
  DateTime: {
    isValid: isDate,
    code: 'EXPECTED_DATE_TIME',
    message: 'must be an ISO 8601 date, with or without time',
  },
  GeoJson: {
    isValid: (value) => isObject(value) && typeof value['type'] === 'string',
    code: 'EXPECTED_GEO_JSON',
    message: 'must be a GeoJSON object',
  },
}

/**
 * Accepts a number only up to 2^53 - 1, except in a row: `reportDrift` compares rows that JSON.parse
 * has rounded.
 */
function isLong(value: unknown, isRow: boolean): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value
  return isRow ? Number.isInteger(value) : Number.isSafeInteger(value)
}

const dateTime = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

/** Returns whether an instant is in the years 1 to 9999, which the gateway stores. */
const isStored = (instant: number): boolean =>
  !Number.isNaN(instant) && /^(?!0000)\d{4}-/.test(new Date(instant).toISOString())

/** Accepts the dates that the gateway accepts, also as a `Date`. */
function isDate(value: unknown): boolean {
  if (value instanceof Date) return isStored(value.getTime())
  const match = typeof value === 'string' ? dateTime.exec(value) : null
  if (match === null) return false
  const [date, day, time = '00:00', seconds = '00'] = match
  const instant = Date.parse(date)
  // Date.parse accepts 30 February and 24:00, as the day after.
  const local = `${day}T${time}:${seconds}`
  const parsed = Date.parse(`${local}Z`)
  return (
    !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(local) && isStored(instant)
  )
}
