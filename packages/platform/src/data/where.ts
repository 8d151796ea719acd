import type { Parameter } from '../database/statement.ts'
import { textFault } from '../projects/text.ts'
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
  $: Parameter,
  spend: Spend,
): string | undefined {
  if (!where) return undefined
  const fields = new Map(type.fields.map((field) => [field.name, field]))
  let count = 0
  const addPart = (cost: number): void => {
    spend(cost)
    if (++count > limits.parts) {
      throw validationError(`where has more than ${limits.parts} parts.`)
    }
  }
  const read = (part: Where | null | undefined, depth: number): string | undefined => {
    if (depth > limits.depth) throw validationError(`where nests deeper than ${limits.depth}.`)
    if (depth > 1) addPart(costs.group)
    const conditions: (string | undefined)[] = []
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
        conditions.push(condition(field, operator, operand, $))
      }
    }
    return joined(conditions, 'and')
  }
  return read(where, 1)
}

function joined(
  parts: readonly (string | undefined)[],
  operator: 'and' | 'or',
): string | undefined {
  const present = parts.filter((part) => part !== undefined)
  if (present.length === 0) return undefined
  return `(${present.join(` ${operator} `)})`
}

/**
 * Returns the SQL expression of a field, typed for comparing and sorting. A stored value
 * of another type counts as null, so that one invalid record does not break queries.
 */
export function fieldSql(field: FieldModel, $: Parameter): string {
  if (field.system) return `r.${field.system.column}`
  const name = `${$(field.name)}::text`
  const text = `r.data->>${name}`
  const ofType = (type: string, cast: string): string =>
    `(case when jsonb_typeof(r.data->${name}) = '${type}' then (${text})${cast} end)`
  switch (comparisonOf(field)) {
    case 'number':
      return ofType('number', '::numeric')
    case 'boolean':
      return ofType('boolean', '::boolean')
    default:
      return `(${text})`
  }
}

const comparisonOf = (field: FieldModel): Comparison => scalars.get(field.scalar ?? '')?.comparison

/** Returns the SQL type of the parameters that a field is compared with. */
function typeOf(field: FieldModel): string {
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
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
])

function condition(field: FieldModel, operator: string, operand: unknown, $: Parameter): string {
  if (operator.endsWith(anyCase)) {
    const given = `lower(${$(parameter(operand))}::text)`
    return compareText(operator.slice(0, -anyCase.length), `lower(${fieldSql(field, $)})`, given)
  }
  const value = fieldSql(field, $)
  const type = typeOf(field)
  if (operator === 'eq' || operator === 'neq') {
    if (operand === null) return `${value} is ${operator === 'eq' ? '' : 'not '}null`
    const given = `${$(parameter(operand))}::${type}`
    return operator === 'eq' ? `${value} = ${given}` : `${value} is distinct from ${given}`
  }
  if (operand === null || operand === undefined) {
    throw validationError(`${field.name}.${operator} cannot be null.`)
  }
  if (operator === 'in' || operator === 'nin') {
    const list = operand as readonly unknown[]
    const present = list.filter((one) => one !== null).map((one) => parameter(one))
    const within = `${value} = any(${$(present)}::${type}[])`
    const hasNull = present.length < list.length
    if (operator === 'in') return hasNull ? `(${within} or ${value} is null)` : within
    return hasNull ? `not ${within}` : `(${value} is null or not ${within})`
  }
  const given = `${$(parameter(operand))}::${type}`
  const order = orders.get(operator)
  if (order === undefined) return compareText(operator, value, given)
  const compared = comparisonOf(field) === 'instant' && !field.system
  return `${value} ${order} ${given}${compared ? ' collate "C"' : ''}`
}

/** Suffix of case-insensitive operators, which only a `filter` can contain. */
const anyCase = 'AnyCase'

function compareText(operator: string, value: string, given: string): string {
  switch (operator) {
    case 'contains':
      return `strpos(${value}, ${given}) > 0`
    case 'startsWith':
      return `starts_with(${value}, ${given})`
    case 'endsWith':
      return `right(${value}, length(${given})) = ${given}`
    default:
      return `${value} = ${given}`
  }
}

/** Formats a parameter as a string, which represents numbers of any size exactly. */
function parameter(value: unknown): string {
  const text = String(value)
  const fault = textFault(text)
  if (fault) throw validationError(`where: a value ${fault}.`)
  return text
}
