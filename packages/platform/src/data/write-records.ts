import { isObject } from '@servicekit/core'
import { printExactJson } from '@servicekit/core/exact-json'
import { type SQL, sql } from 'drizzle-orm'
import { recordset } from '../database/sql-parts.ts'
import { costs } from './cost.ts'
import { conditionsOf } from './dynamic-query.ts'
import { hasSqlState, validationError } from './gateway-error.ts'
import type { DataModel, TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { systemField } from './system-fields.ts'
import { type Where, whereSql } from './where.ts'
import { acknowledged, type ActionResponse, unchanged } from '../http/action-response.ts'
import { jsonProblem } from '../http/json-problem.ts'

/** Input values by field, as coerced by GraphQL. */
export type Values = Readonly<Record<string, unknown>>

/** Author of records written by a request without a caller. */
export const anonymousAuthor = 'anonymous'

/**
 * Inserts all records, or none, and fills their system fields.
 *
 * @throws GraphQLError `VALIDATION_ERROR` if there are too many records, a required field
 * has no value, or a string cannot be stored.
 */
export async function insertRecords(
  type: TypeModel,
  types: DataModel['types'],
  inputs: readonly Values[],
  context: GatewayContext,
  isMany: boolean,
): Promise<ActionResponse> {
  if (inputs.length > context.maxPageSize) {
    throw validationError(`input has more than ${context.maxPageSize} records.`)
  }
  context.spend(inputs.length * costs.record)
  for (const [index, input] of inputs.entries()) {
    checkInput(type, types, input, 'insert', isMany ? `input[${index}].` : '')
  }
  const rows = inputs.map((input) => rowOf(input, context))
  const ids = rows.map(({ itemId }) => itemId)
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) return unchanged(`The ItemId ${duplicate} occurs twice.`)
  if (rows.length === 0) return acknowledged([], isMany)
  try {
    await context.runStatement(insertRows(type, rows, context))
    return acknowledged(ids, isMany)
  } catch (error) {
    if (!hasSqlState(error, '23505')) throw error
    const taken = await context.runStatement(sql`
      select item_id from servicekit.records
      where project_id = ${context.project.id} and schema_name = ${type.name}
        and item_id = any(${sql.param(ids)}::text[]) order by seq`)
    const names = taken.rows.map((row) => row['item_id']).join(', ') || ids.join(', ')
    return unchanged(`A ${type.name} with the ItemId ${names} already exists.`)
  }
}

/** Returns a new record with its system fields. */
export function rowOf(
  input: Values,
  { project, newId }: Pick<GatewayContext, 'project' | 'newId'>,
) {
  // Forms send blank fields as empty strings.
  const textOf = (name: string): string | undefined =>
    (input[name] as string | null | undefined) || undefined
  return {
    itemId: textOf('ItemId') ?? newId(),
    language: textOf('Language') ?? project.fallback,
    organizationId: textOf('OrganizationId') ?? project.organizationId,
    tags: (input['Tags'] as readonly string[] | null | undefined) ?? [],
    data: propertiesOf(input),
  }
}

const propertiesOf = (input: Values): Values =>
  Object.fromEntries(Object.entries(input).filter(([name]) => !systemField(name)))

/** The primary key rejects ids that exist. Looking them up first would read all records. */
export function insertRows(
  type: TypeModel,
  rows: readonly ReturnType<typeof rowOf>[],
  { project, now, author }: Pick<GatewayContext, 'project' | 'now' | 'author'>,
): SQL {
  const time = now()
  return sql`
    insert into servicekit.records (project_id, schema_name, item_id, created_date,
      last_updated_date, created_by, last_updated_by, language, organization_id, tags, data)
    select ${project.id}::int, ${type.name}, "itemId", ${time}::timestamptz,
      ${time}::timestamptz, ${author}, ${author}, language, "organizationId", tags, data
    from ${recordset(
      rows,
      '"itemId" text, language text, "organizationId" text, tags text[], data jsonb',
    )}`
}

/** Records to change: the first that matches, or all. */
export interface ChangeConditions {
  readonly where?: Where | null
  /** Condition as a JSON string, which older front ends still send. */
  readonly filter?: string | null
  readonly isMany: boolean
}

/**
 * Updates records. Fields absent from the input keep their value; a nested object is
 * replaced as a whole.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for an empty condition, or a required field
 * without a value.
 */
export async function updateRecords(
  type: TypeModel,
  types: DataModel['types'],
  input: Values,
  conditions: ChangeConditions,
  context: GatewayContext,
): Promise<ActionResponse> {
  checkInput(type, types, input, 'update')
  const system = Object.entries(input).flatMap(([name, value]) => {
    const column = systemField(name)?.column
    if (column === undefined) return []
    if (name === 'Tags') return [sql`tags = ${sql.param(value ?? [])}::text[]`]
    return [sql`${sql.identifier(column)} = ${value}`]
  })
  const set = [
    sql`data = data || ${printExactJson(propertiesOf(input))}::jsonb`,
    sql`last_updated_date = ${context.now()}`,
    sql`last_updated_by = ${context.author}`,
    ...system,
  ]
  const update = sql`update servicekit.records set ${sql.join(set, sql`, `)}`
  return change(update, type, conditions, context)
}

/**
 * Deletes records.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for an empty condition.
 */
export const deleteRecords = async (
  type: TypeModel,
  conditions: ChangeConditions,
  context: GatewayContext,
): Promise<ActionResponse> => change(sql`delete from servicekit.records`, type, conditions, context)

/**
 * Applies a statement to the matching records. Locks them first, so that concurrent changes
 * of one record are serialized.
 */
async function change(
  statement: SQL,
  type: TypeModel,
  { where, filter, isMany }: ChangeConditions,
  { project, spend, readFilter, runStatement }: GatewayContext,
): Promise<ActionResponse> {
  const condition = whereSql(type, conditionsOf(type, where, filter, readFilter), spend)
  // An empty condition is more likely a mistake than an intent to change everything.
  if (!condition) throw validationError('where or filter: a condition is required.')
  // Materialized, because a join may run a sub-select again, and would then find the next record.
  const { rows } = await runStatement(sql`
    with found as materialized (
      select r.seq from servicekit.records r
      where r.project_id = ${project.id} and r.schema_name = ${type.name} and ${condition}
      order by r.seq ${isMany ? sql`` : sql`limit 1`} for update
    )
    ${statement} where project_id = ${project.id} and schema_name = ${type.name}
      and seq in (select seq from found) returning item_id`)
  if (rows.length === 0) return unchanged(`No ${type.name} matches.`)
  return acknowledged(
    rows.map((row) => row['item_id'] as string),
    isMany,
  )
}

/** @throws GraphQLError `VALIDATION_ERROR` */
function checkInput(...input: Parameters<typeof inputProblem>): void {
  const problem = inputProblem(...input)
  if (problem) throw validationError(problem)
}

/**
 * Returns a problem that GraphQL types do not cover: a missing value that `requiredOn` requires,
 * also in nested objects, or a string that PostgreSQL cannot store.
 */
export function inputProblem(
  type: TypeModel,
  types: DataModel['types'],
  input: Values,
  on: 'insert' | 'update',
  path = '',
): string | undefined {
  const missing = missingIn(type, types, input, on, path)
  if (missing.length > 0) return `${missing.join(', ')}: a value is required.`
  return jsonProblem(input)
}

function missingIn(
  type: TypeModel,
  types: DataModel['types'],
  values: Values,
  on: 'insert' | 'update',
  path: string,
): readonly string[] {
  return type.fields.flatMap((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined
    const at = path + field.name
    const isRequired = on === 'insert' ? field.isRequiredOnInsert : field.isRequiredOnUpdate
    if (value === undefined || value === null) return isRequired ? [at] : []
    const nested = types.get(field.object ?? '')
    if (!nested) return []
    // An update replaces a nested object as a whole, so insert rules apply to it.
    return [value].flat().flatMap((part, index) => {
      const inner = field.isArray ? `${at}[${index}].` : `${at}.`
      return isObject(part) ? missingIn(nested, types, part, 'insert', inner) : []
    })
  })
}
