import { type SQL, sql } from 'drizzle-orm'
import { validationError } from './gateway-error.ts'
import type { FieldModel, TypeModel } from './model.ts'
import { type Comparison, scalars } from './scalars.ts'

/** A `where` as GraphQL hands it over: conditions by field, and nested `or` and `and`. */
export type Where = Readonly<Record<string, unknown>>

/** Most conditions of one `where`, and how deep it may nest. */
const limits = { conditions: 500, depth: 16 }

/**
 * The condition of a `where` in SQL, or undefined when it says nothing.
 * Names and values are parameters, never part of the statement.
 *
 * Null is a value for `eq` and `neq`. An empty `or` or `and` says nothing, an
 * empty `in` matches nothing.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for a null elsewhere, or too many conditions.
 */
export function whereSql(type: TypeModel, where: Where | null | undefined): SQL | undefined {
  const fields = new Map(type.fields.map((field) => [field.name, field]))
  let count = 0
  const read = (part: Where | null | undefined, depth: number): SQL | undefined => {
    if (depth > limits.depth) throw validationError(`where nests deeper than ${limits.depth}.`)
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
        if (++count > limits.conditions) {
          throw validationError(`where has more than ${limits.conditions} conditions.`)
        }
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
  return sql`(${sql.join(present, operator === 'and' ? sql` and ` : sql` or `)})`
}

/**
 * The value of a field, typed for comparing and sorting. A stored value of
 * another type counts as null, so that one odd record breaks no query.
 */
export function fieldSql(field: FieldModel): SQL {
  if (field.system) return sql.raw(`r.${field.system.column}`)
  const value = sql`r.data->${field.name}::text`
  const text = sql`r.data->>${field.name}::text`
  const ofType = (type: string, cast: string): SQL =>
    sql`(case when jsonb_typeof(${value}) = ${sql.raw(`'${type}'`)} then (${text})${sql.raw(cast)} end)`
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

/** SQL type of a field's values, for the parameters that they are compared with. */
function typeOf(field: FieldModel): SQL {
  if (field.system?.type === 'DateTime') return sql`timestamptz`
  switch (comparisonOf(field)) {
    case 'number':
      return sql`numeric`
    case 'boolean':
      return sql`boolean`
    default:
      return sql`text`
  }
}

const orders: Readonly<Record<string, SQL>> = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` }

function condition(field: FieldModel, operator: string, operand: unknown): SQL {
  const value = fieldSql(field)
  const type = typeOf(field)
  if (operator === 'eq' || operator === 'neq') {
    if (operand === null) {
      return operator === 'eq' ? sql`${value} is null` : sql`${value} is not null`
    }
    const given = sql`${parameter(operand)}::${type}`
    return operator === 'eq' ? sql`${value} = ${given}` : sql`${value} is distinct from ${given}`
  }
  if (operand === null || operand === undefined) {
    throw validationError(`${field.name}.${operator} cannot be null.`)
  }
  if (operator === 'in') {
    const list = operand as readonly unknown[]
    const present = list.filter((one) => one !== null).map((one) => parameter(one))
    const within = sql`${value} = any(${sql.param(present)}::${type}[])`
    return present.length < list.length ? sql`(${within} or ${value} is null)` : within
  }
  const given = sql`${parameter(operand)}::${type}`
  if (operator === 'contains') return sql`strpos(${value}, ${given}) > 0`
  if (operator === 'startsWith') return sql`starts_with(${value}, ${given})`
  if (operator === 'endsWith') {
    return sql`right(${value}, length(${given})) = ${given}`
  }
  const compared = comparisonOf(field) === 'instant' && !field.system
  return sql`${value} ${orders[operator]!} ${given}${compared ? sql` collate "C"` : sql``}`
}

/** The driver takes texts; a number's own text is exact, however large. */
const parameter = (value: unknown): string => String(value)
