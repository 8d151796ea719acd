import { type SQL, sql } from 'drizzle-orm'
import { stringProblem } from '../projects/storable.ts'
import { validationError } from './gateway-error.ts'
import type { Spend } from './list-cost.ts'
import type { FieldModel, TypeModel } from './model.ts'
import { type Comparison, scalars } from './scalars.ts'

/** Coerced `where` argument: conditions by field, and nested `or` and `and`. */
export type Where = Readonly<Record<string, unknown>>

/**
 * Maximum number of parts of one `where` (conditions, and members of `or` and `and`), and
 * its maximum nesting depth.
 */
export const limits = { parts: 1000, depth: 16 }
const costs = { condition: 10, group: 2, value: 0.5 }

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
        if (Array.isArray(operand)) spend(operand.length * costs.value)
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
  const text = sql`r.data->>${name}`
  const ofType = (type: 'number' | 'boolean', cast: string): SQL =>
    sql`(case when jsonb_typeof(r.data->${name}) = ${type} then (${text})${sql.raw(cast)} end)`
  switch (comparisonOf(field)) {
    case 'number':
      return ofType('number', '::numeric')
    case 'boolean':
      return ofType('boolean', '::boolean')
    default:
      return sql`(${text})`
  }
}

const comparisonOf = (field: FieldModel): Comparison => scalars.get(field.scalar ?? '')?.comparison

/** Returns the SQL type of the parameters that a field is compared with. */
function typeOf(field: FieldModel): 'timestamptz' | 'numeric' | 'boolean' | 'text' {
  if (field.system?.type === 'DateTime') return 'timestamptz'
  switch (comparisonOf(field)) {
    case 'number':
      return 'numeric'
    case 'boolean':
      return 'boolean'
    default:
      return 'text'
  }
}

const orders = new Map([
  ['gt', sql`>`],
  ['gte', sql`>=`],
  ['lt', sql`<`],
  ['lte', sql`<=`],
])

function condition(field: FieldModel, operator: string, operand: unknown): SQL {
  if (operator.endsWith(anyCase)) {
    const given = sql`lower(${parameter(operand)}::text)`
    return compareText(operator.slice(0, -anyCase.length), sql`lower(${fieldSql(field)})`, given)
  }
  const value = fieldSql(field)
  const type = sql.raw(typeOf(field))
  if (operator === 'eq' || operator === 'neq') {
    if (operand === null)
      return operator === 'eq' ? sql`${value} is null` : sql`${value} is not null`
    const given = sql`${parameter(operand)}::${type}`
    return operator === 'eq' ? sql`${value} = ${given}` : sql`${value} is distinct from ${given}`
  }
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
  const given = sql`${parameter(operand)}::${type}`
  const order = orders.get(operator)
  if (order === undefined) return compareText(operator, value, given)
  const isText = comparisonOf(field) === 'instant' && !field.system
  return sql`${value} ${order} ${given}${isText ? sql` collate "C"` : sql``}`
}

/** Suffix of case-insensitive operators, which only a `filter` can contain. */
const anyCase = 'AnyCase'

function compareText(operator: string, value: SQL, given: SQL): SQL {
  switch (operator) {
    case 'contains':
      return sql`strpos(${value}, ${given}) > 0`
    case 'startsWith':
      return sql`starts_with(${value}, ${given})`
    case 'endsWith':
      return sql`right(${value}, length(${given})) = ${given}`
    default:
      return sql`${value} = ${given}`
  }
}

/** Formats a parameter as a string, which represents numbers of any size exactly. */
function parameter(value: unknown): string {
  const text = String(value)
  const fault = stringProblem(text)
  if (fault) throw validationError(`where: a value ${fault}.`)
  return text
}
