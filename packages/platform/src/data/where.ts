import { stringProblem } from '@servicekit/core'
import { type SQL, sql } from 'drizzle-orm'
import { validationError } from './gateway-error.ts'
import { costs, type Spend } from './cost.ts'
import type { FieldModel, TypeModel } from './model.ts'
import { scalars } from './scalars.ts'

/** Coerced `where` argument: conditions by field, and nested `or` and `and`. */
export type Where = Readonly<Record<string, unknown>>

/**
 * Maximum number of parts of one `where` (conditions, and members of `or` and `and`), and
 * its maximum nesting depth.
 */
export const limits = { parts: 1000, depth: 16 }

/**
 * Compiles a `where` to a SQL condition; undefined if it is empty. Names and values are
 * passed as parameters, never as part of the statement.
 *
 * Null is a value for `eq` and `neq`. An empty `or` or `and` is ignored; an empty `in`
 * matches nothing.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for a null elsewhere, or too many conditions.
 */
export function whereSql(
  type: TypeModel,
  where: Where | null | undefined,
  spend: Spend,
): SQL | undefined {
  if (!where) return undefined
  const fields = new Map(type.fields.map((field) => [field.name, field]))
  let count = 0
  const addPart = (cost: number): void => {
    spend(cost)
    if (++count > limits.parts) {
      throw validationError(`where has more than ${limits.parts} parts.`)
    }
  }
  const read = (part: Where | null | undefined, depth: number): SQL | undefined => {
    if (depth > limits.depth) throw validationError(`where nests deeper than ${limits.depth}.`)
    if (depth > 1) addPart(costs.group)
    const conditions: (SQL | undefined)[] = []
    for (const [name, value] of Object.entries(part ?? {})) {
      if (value === null || value === undefined) continue
      if (name === 'or' || name === 'and') {
        const nested = (value as (Where | null)[]).map((one) => read(one, depth + 1))
        conditions.push(joined(nested, name))
        continue
      }
      const field = fields.get(name)!
      for (const [operator, operand] of Object.entries(value)) {
        addPart(costs.condition)
        if (Array.isArray(operand)) spend(operand.length * costs.operand)
        conditions.push(condition(field, operator, operand))
      }
    }
    return joined(conditions, 'and')
  }
  return read(where, 1)
}

function joined(parts: readonly (SQL | undefined)[], operator: 'and' | 'or'): SQL | undefined {
  const present = parts.filter((part) => part !== undefined)
  if (present.length === 0) return undefined
  return sql`(${sql.join(present, sql.raw(` ${operator} `))})`
}

/**
 * Returns the SQL expression of a field, typed for comparing and sorting. A stored value
 * of another type counts as null, so that one invalid record does not break queries.
 */
export function fieldSql(field: FieldModel): SQL {
  if (field.system) return sql.raw(`r.${field.system.column}`)
  const name = sql`${field.name}::text`
  const type = typeOf(field)
  if (type === 'text') return sql`(r.data->>${name})`
  const jsonType = type === 'numeric' ? 'number' : type
  return sql`(case when jsonb_typeof(r.data->${name}) = ${jsonType}
    then (r.data->>${name})::${sql.raw(type)} end)`
}

/** True if dates of the field are stored as strings, whose order is chronological. */
export const isInstant = ({ scalar, system }: FieldModel): boolean =>
  scalar === 'DateTime' && !system

/** Returns the SQL type of the parameters that a field is compared with. */
function typeOf({ scalar = '', system }: FieldModel) {
  if (system?.type === 'DateTime') return 'timestamptz'
  const comparison = scalars.get(scalar)?.comparison
  return comparison === 'number' ? 'numeric' : comparison === 'boolean' ? comparison : 'text'
}

const comparisons: Readonly<Record<string, (value: SQL, operand: SQL) => SQL>> = {
  eq: (value, operand) => sql`${value} = ${operand}`,
  neq: (value, operand) => sql`${value} is distinct from ${operand}`,
  gt: (value, operand) => sql`${value} > ${operand}`,
  gte: (value, operand) => sql`${value} >= ${operand}`,
  lt: (value, operand) => sql`${value} < ${operand}`,
  lte: (value, operand) => sql`${value} <= ${operand}`,
  contains: (value, operand) => sql`strpos(${value}, ${operand}) > 0`,
  startsWith: (value, operand) => sql`starts_with(${value}, ${operand})`,
  endsWith: (value, operand) => sql`right(${value}, length(${operand})) = ${operand}`,
}

/** Suffix of case-insensitive operators, which only a `filter` can contain. */
const anyCase = 'AnyCase'

function condition(field: FieldModel, operator: string, operand: unknown): SQL {
  const value = fieldSql(field)
  const type = sql.raw(typeOf(field))
  if (operand === null && operator === 'eq') return sql`${value} is null`
  if (operand === null && operator === 'neq') return sql`${value} is not null`
  if (operand === null || operand === undefined) {
    throw validationError(`${field.name}.${operator} cannot be null.`)
  }
  if (operator === 'in' || operator === 'nin') {
    const list = operand as readonly unknown[]
    const present = list.filter((one) => one !== null).map((one) => parameter(one))
    const within = sql`${value} = any(${sql.param(present)}::${type}[])`
    const hasNull = present.length < list.length
    if (operator === 'in') return hasNull ? sql`(${within} or ${value} is null)` : within
    return hasNull ? sql`not ${within}` : sql`(${value} is null or not ${within})`
  }
  const given = sql`${parameter(operand)}::${type}${isInstant(field) ? sql` collate "C"` : sql``}`
  if (!operator.endsWith(anyCase)) return comparisons[operator]!(value, given)
  const compare = comparisons[operator.slice(0, -anyCase.length)]!
  return compare(sql`lower(${value})`, sql`lower(${given})`)
}

/** Formats a parameter as a string, which represents numbers of any size exactly. */
function parameter(value: unknown): string {
  const text = String(value)
  const problem = stringProblem(text)
  if (problem) throw validationError(`where: a value ${problem}.`)
  return text
}
