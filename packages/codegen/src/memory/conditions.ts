import { byCodePoint, stringProblem } from '@servicekit/core'
import type { SchemaModel } from '../model.ts'
import type { FieldModel } from '../model-field.ts'
import { validationError } from './validation-error.ts'

/** Record in memory: system fields and properties. */
export type MemoryRecord = Readonly<Record<string, unknown>>

/** Coerced `where` argument. */
export type Where = Readonly<Record<string, unknown>>

type Matches = (record: MemoryRecord) => boolean

/**
 * Compiles a `where`; undefined if it is empty. An empty `or` or `and` is ignored, and null is a
 * value for `eq` and `neq`, as on the platform.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for a null elsewhere.
 */
export function compileWhere(
  { fields }: SchemaModel,
  where: Where | null | undefined,
): Matches | undefined {
  const read = (part: Where | null | undefined): Matches | undefined => {
    const conditions: (Matches | undefined)[] = []
    for (const [name, value] of Object.entries(part ?? {})) {
      if (value === null || value === undefined) continue
      if (name === 'or' || name === 'and') {
        conditions.push(joined((value as (Where | null)[]).map(read), name))
        continue
      }
      const field = fields.find((one) => one.name === name)!
      for (const [operator, operand] of Object.entries(value)) {
        conditions.push(condition(field, operator, operand))
      }
    }
    return joined(conditions, 'and')
  }
  return read(where)
}

function joined(
  parts: readonly (Matches | undefined)[],
  operator: 'and' | 'or',
): Matches | undefined {
  const present = parts.filter((part) => part !== undefined)
  if (present.length === 0) return undefined
  return operator === 'and'
    ? (record) => present.every((matches) => matches(record))
    : (record) => present.some((matches) => matches(record))
}

type Value = string | number | bigint | boolean | null

/** Returns the value of a field for comparisons; null if it has another type. */
export function valueOf(record: MemoryRecord, { name, scalar }: FieldModel): Value {
  const value = Object.hasOwn(record, name) ? record[name] : null
  const type =
    scalar?.output === 'number' ? 'number' : scalar?.name === 'Boolean' ? 'boolean' : 'string'
  const isBigint = scalar?.name === 'Long' && typeof value === 'bigint'
  return isBigint || typeof value === type ? (value as Value) : null
}

/** Compares values for a sort: null comes first, and texts are compared by code point. */
export function compareValues(left: Value, right: Value): number {
  if (left === right) return 0
  if (left === null) return -1
  if (right === null) return 1
  if (typeof left === 'string') return byCodePoint(left, String(right))
  return left < right ? -1 : 1
}

const comparisons: Readonly<Record<string, (value: never, operand: never) => boolean>> = {
  eq: (value: Value, operand: Value) => value === operand,
  gt: (value: Value, operand: Value) => compareValues(value, operand) > 0,
  gte: (value: Value, operand: Value) => compareValues(value, operand) >= 0,
  lt: (value: Value, operand: Value) => compareValues(value, operand) < 0,
  lte: (value: Value, operand: Value) => compareValues(value, operand) <= 0,
  contains: (value: string, operand: string) => value.includes(operand),
  startsWith: (value: string, operand: string) => value.startsWith(operand),
  endsWith: (value: string, operand: string) => value.endsWith(operand),
}

function condition(field: FieldModel, operator: string, operand: unknown): Matches {
  const read = (record: MemoryRecord): Value => valueOf(record, field)
  if (Array.isArray(operand)) {
    for (const one of operand) checkText(one)
    return (record) => operand.includes(read(record))
  }
  if (operator === 'neq') {
    checkText(operand)
    return (record) => read(record) !== operand
  }
  if (operand === null && operator === 'eq') return (record) => read(record) === null
  if (operand === null || operand === undefined) {
    throw validationError(`${field.name}.${operator} cannot be null.`)
  }
  checkText(operand)
  const compare = comparisons[operator]!
  return (record) => {
    const value = read(record)
    return value !== null && compare(value as never, operand as never)
  }
}

function checkText(value: unknown): void {
  const problem = stringProblem(String(value))
  if (problem !== undefined) throw validationError(`where: a value ${problem}.`)
}
