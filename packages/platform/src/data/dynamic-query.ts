import { isObject, parseJson } from '@servicekit/core'
import { parseExactJson } from '@servicekit/core/exact-json'
import { validationError } from './gateway-error.ts'
import { charactersPerUnit, costs, type Spend } from './cost.ts'
import type { FieldModel, TypeModel } from './model.ts'
import { narrow, scalars } from './scalars.ts'
import { limits, type Where } from './where.ts'

/** Legacy arguments of a list: filter and sort are JSON strings in MongoDB syntax. */
export interface DynamicQuery {
  readonly filter?: string | null
  readonly sort?: string | null
  readonly pageNo?: number | null
  readonly pageSize?: number | null
}

export interface SortField {
  readonly field: string
  readonly direction?: 'ASC' | 'DESC' | null
}

/** Reads a filter as a `where`. @throws GraphQLError */
export type ReadFilter = (type: TypeModel, text: string | null | undefined) => Where

/**
 * Returns the function that reads the filters of one request, each once for its type: access
 * levels are checked before the first part of a request runs, which then uses the same filter.
 */
export function filterReader(spend: Spend): ReadFilter {
  const read = new Map<TypeModel, Map<string, Where>>()
  return (type, text) => {
    const known = read.get(type) ?? new Map<string, Where>()
    read.set(type, known)
    const where = known.get(text ?? '') ?? readFilter(type, text, spend)
    known.set(text ?? '', where)
    return where
  }
}

/**
 * Parses a filter such as `{"ItemId": "…"}` or `{"Price": {"$gte": 10}}` into a `where`.
 * A blank string, `null` and `{}` are empty conditions.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for invalid JSON, unknown fields and operators.
 */
function readFilter(type: TypeModel, text: string | null | undefined, spend: Spend): Where {
  spend((text?.length ?? 0) / charactersPerUnit.filter)
  const value = parseText('filter', text)
  if (value === null) return {}
  return readConditions(type, value, spend, 1)
}

/** Combines the conditions of `where` and `filter` with a logical and. */
export const conditionsOf = (
  type: TypeModel,
  where: Where | null | undefined,
  filter: string | null | undefined,
  readFilter: ReadFilter,
): Where => ({ and: [where ?? {}, readFilter(type, filter)] })

function parseText(name: string, text: string | null | undefined): unknown {
  if (!text?.trim()) return null
  const value = parseJson(text, parseExactJson)
  if (value !== undefined) return value
  throw validationError(`${name} is not JSON. Expected text such as {"ItemId": "…"}.`)
}

function readConditions(type: TypeModel, value: unknown, spend: Spend, depth: number): Where {
  if (!isObject(value)) throw validationError('filter must be an object.')
  if (depth > limits.depth) throw validationError(`filter nests deeper than ${limits.depth}.`)
  const parts = Object.entries(value).map(([name, condition]): Where => {
    spend(costs.filterValue)
    if (name !== '$and' && name !== '$or') {
      const field = fieldOf(type, name)
      return { [field.name]: readOperators(field, condition, spend) }
    }
    if (!Array.isArray(condition)) throw validationError(`filter: ${name} must be an array.`)
    const inner = condition.map((one) => readConditions(type, one, spend, depth + 1))
    return { [name.slice(1)]: inner }
  })
  return { and: parts }
}

/** Returns a field that conditions may use. `_id` is MongoDB's name for the id. */
function fieldOf(type: TypeModel, name: string): FieldModel {
  const wanted = name === '_id' ? 'ItemId' : name
  if (name.startsWith('$')) throw validationError(`filter: unknown operator ${name}.`)
  const field = type.fields.find((one) => one.name === wanted)
  const isComparable = scalars.get(field?.scalar ?? '')?.comparison !== undefined
  // As in `where`, "or" and "and" combine conditions.
  if (field && isComparable && !field.isArray && !/^(or|and)$/.test(name)) return field
  throw validationError(`filter: ${type.name} has no field ${JSON.stringify(name)} to compare.`)
}

/** MongoDB operators that take a single value; in `where`, only `$ne` has another name. */
const comparison = /^\$(?:eq|ne|gte?|lte?)$/

function readOperators(field: FieldModel, condition: unknown, spend: Spend): Where {
  if (!isObject(condition) || Object.hasOwn(condition, '$date')) {
    return { eq: readValue(field, condition) }
  }
  const read = Object.entries(condition).flatMap(
    ([name, operand]): (readonly [string, unknown])[] => {
      spend(costs.filterValue)
      if (comparison.test(name)) {
        return [[name === '$ne' ? 'neq' : name.slice(1), readValue(field, operand)]]
      }
      switch (name) {
        case '$in':
        case '$nin':
          if (!Array.isArray(operand)) throw validationError(`filter: ${name} must be an array.`)
          spend(operand.length * costs.filterOperand)
          return [[name.slice(1), operand.map((one) => readValue(field, one))]]
        case '$exists':
          return [[operand ? 'neq' : 'eq', null]]
        case '$regex':
          return [readPattern(field, operand, condition['$options'])]
        case '$options':
          return []
        default:
          throw validationError(`filter: unknown operator ${name} of ${field.name}.`)
      }
    },
  )
  return Object.fromEntries(read) as Where
}

function readValue(field: FieldModel, value: unknown): unknown {
  const given = isObject(value) && Object.hasOwn(value, '$date') ? value['$date'] : value
  if (given === null) return null
  // A value may nest so deeply that converting or showing it overflows the stack.
  if (typeof given === 'object') {
    throw validationError(`filter: ${field.name} cannot be compared with a list or an object.`)
  }
  try {
    return scalars.get(field.scalar!)!.type.parseValue(narrow(given, field.scalar!))
  } catch (error) {
    throw validationError(`filter: ${field.name}: ${(error as Error).message}`)
  }
}

/**
 * Literal string, optionally anchored. An arbitrary pattern could keep the database busy for hours.
 */
const literal = /^(\^)?(\.\*)?((?:[^\\^$.|?*+()[\]{}]|\\[^a-zA-Z0-9])*)(\.\*)?(\$)?$/

function readPattern(
  field: FieldModel,
  pattern: unknown,
  options: unknown = '',
): readonly [string, unknown] {
  const match = typeof pattern === 'string' ? literal.exec(pattern) : null
  const isText = scalars.get(field.scalar!)!.comparison === 'text'
  if (!match || !isText) {
    throw validationError(
      `filter: $regex of ${field.name} must be literal text, with ^ or $ at its ends.`,
    )
  }
  if (options !== '' && options !== 'i') {
    throw validationError('filter: $options can only be "i".')
  }
  const [, start, anyStart, text, anyEnd, end] = match
  const isStart = start !== undefined && anyStart === undefined
  const isEnd = end !== undefined && anyEnd === undefined
  const operator =
    isStart && isEnd ? 'eq' : isStart ? 'startsWith' : isEnd ? 'endsWith' : 'contains'
  return [options === 'i' ? `${operator}AnyCase` : operator, text!.replaceAll(/\\(.)/g, '$1')]
}

/**
 * Parses a sort such as `{"CreatedDate": -1}`, or a list of `{field, direction}`.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for invalid JSON and unknown directions.
 */
export function readSort(text: string | null | undefined): readonly SortField[] {
  const value = parseText('sort', text)
  if (value === null) return []
  const entries = isObject(value)
    ? Object.entries(value)
    : [value].flat().map((one): [unknown, unknown] => {
        const { field, direction } = isObject(one) ? one : {}
        return [field, direction ?? 'ASC']
      })
  return entries.map(([field, direction]) => {
    const read = directions.get(String(direction).toLowerCase())
    if (typeof field === 'string' && read) return { field, direction: read }
    throw validationError('sort must be JSON such as {"CreatedDate": -1}.')
  })
}

const directions = new Map<string, 'ASC' | 'DESC'>([
  ['1', 'ASC'],
  ['asc', 'ASC'],
  ['-1', 'DESC'],
  ['desc', 'DESC'],
])
