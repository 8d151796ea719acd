import { type SQL, sql } from 'drizzle-orm'
import { type ActionResponse, done, missed } from './action-response.ts'
import { checkInput, type Values } from './check-input.ts'
import { conditionsOf } from './dynamic-query.ts'
import { validationError } from './gateway-error.ts'
import type { DataModel, TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { systemField } from './system-fields.ts'
import { type Where, whereSql } from './where.ts'

/** Arguments of an update or a delete. */
export interface ChangeArguments {
  readonly where?: Where | null
  /** Condition as a JSON string, which older front ends still send. */
  readonly filter?: string | null
  readonly input?: Values | null
}

/**
 * Updates the first record that matches a condition, or all matching records. Fields
 * absent from the input keep their value; a nested object is replaced as a whole.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for an empty condition, or a required field
 * without a value.
 */
export async function updateRecords(
  type: TypeModel,
  types: DataModel['types'],
  { input, ...conditions }: ChangeArguments,
  context: GatewayContext,
  isMany: boolean,
): Promise<ActionResponse> {
  const given = input ?? {}
  checkInput(type, types, given, 'update')
  const found = matching(type, conditions, context, isMany)
  const properties = Object.entries(given).filter(([name]) => !systemField(name))
  const system = Object.entries(given).flatMap(([name, value]) => {
    const column = systemField(name)?.column
    if (column === undefined) return []
    if (name === 'Tags') return [sql`tags = ${sql.param(value ?? [])}::text[]`]
    return [sql`${sql.identifier(column)} = ${value}`]
  })
  const set = [
    sql`data = data || ${JSON.stringify(Object.fromEntries(properties))}::jsonb`,
    sql`last_updated_date = ${context.now()}`,
    sql`last_updated_by = ${context.author}`,
    ...system,
  ]
  return change(
    sql`${found} update servicekit.records set ${sql.join(set, sql`, `)}
      where seq in (select seq from found) returning item_id`,
    type,
    context,
    isMany,
  )
}

/**
 * Deletes the first record that matches a condition, or all matching records.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for an empty condition.
 */
export function deleteRecords(
  type: TypeModel,
  conditions: ChangeArguments,
  context: GatewayContext,
  isMany: boolean,
): Promise<ActionResponse> {
  const found = matching(type, conditions, context, isMany)
  return change(
    sql`${found} delete from servicekit.records
      where seq in (select seq from found) returning item_id`,
    type,
    context,
    isMany,
  )
}

async function change(
  statement: SQL,
  type: TypeModel,
  context: GatewayContext,
  isMany: boolean,
): Promise<ActionResponse> {
  const { rows } = await context.runStatement(statement)
  const ids = rows.map((row) => row['item_id'] as string)
  return ids.length === 0 ? missed(`No ${type.name} matches.`) : done(ids, isMany)
}

/**
 * Selects and locks the matching records, so that concurrent changes of one record are
 * serialized.
 */
function matching(
  type: TypeModel,
  { where, filter }: ChangeArguments,
  { project, spend }: GatewayContext,
  isMany: boolean,
): SQL {
  const condition = whereSql(type, conditionsOf(type, where, filter, spend), spend)
  // An empty condition is more likely a mistake than an intent to change everything.
  if (!condition) throw validationError('where or filter: a condition is required.')
  // Materialized, because a join may run a sub-select again, and would then find the next
  // record.
  return sql`
    with found as materialized (
      select r.seq from servicekit.records r
      where r.project_id = ${project.id} and r.schema_name = ${type.name} and ${condition}
      order by r.seq ${isMany ? sql`` : sql`limit 1`} for update
    )`
}
