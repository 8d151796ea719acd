import { type SQL, sql } from 'drizzle-orm'
import { statementOf } from '../database/statement-sql.ts'
import { type ActionResponse, done, missed } from './action-response.ts'
import { checkInput, type Values } from './check-input.ts'
import { validationError } from './gateway-error.ts'
import { nobody } from './insert-record.ts'
import type { DataModel, TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { systemField } from './system-fields.ts'
import { type Where, whereSql } from './where.ts'

/** Arguments of an update or a delete. */
export interface ChangeArguments {
  readonly where?: Where | null
  readonly input?: Values | null
}

/**
 * Updates the first record that a condition holds for, or every one. What the
 * input does not name stays; a nested object is replaced whole.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for a condition that says nothing, or a
 * required field without a value.
 */
export async function updateRecords(
  type: TypeModel,
  types: DataModel['types'],
  { where, input }: ChangeArguments,
  context: GatewayContext,
  isMany: boolean,
): Promise<ActionResponse> {
  const values = input ?? {}
  checkInput(type, types, values, 'update')
  const found = matching(type, where, context, isMany)
  const properties = Object.entries(values).filter(([name]) => !systemField(name))
  const system = Object.entries(values).flatMap(([name, value]) => {
    const column = systemField(name)?.column
    if (column === undefined) return []
    if (name === 'Tags') return [sql`tags = ${sql.param(value ?? [])}::text[]`]
    return [sql`${sql.raw(column)} = ${value as string | null}`]
  })
  const set = sql.join(
    [
      sql`data = data || ${JSON.stringify(Object.fromEntries(properties))}::jsonb`,
      sql`last_updated_date = ${context.now().toISOString()}::timestamptz`,
      sql`last_updated_by = ${nobody}`,
      ...system,
    ],
    sql`, `,
  )
  return change(
    sql`${found} update servicekit.records set ${set} where seq in (select seq from found)`,
    type,
    context,
    isMany,
  )
}

/**
 * Deletes the first record that a condition holds for, or every one.
 *
 * @throws GraphQLError `VALIDATION_ERROR` for a condition that says nothing.
 */
export function deleteRecords(
  type: TypeModel,
  { where }: ChangeArguments,
  context: GatewayContext,
  isMany: boolean,
): Promise<ActionResponse> {
  const found = matching(type, where, context, isMany)
  return change(
    sql`${found} delete from servicekit.records where seq in (select seq from found)`,
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
  const { rows } = await context.change(statementOf(sql`${statement} returning item_id`))
  const ids = rows.map((row) => row['item_id'] as string)
  return ids.length === 0 ? missed(`No ${type.name} matches.`) : done(ids, isMany)
}

/** The records that are meant, locked, so that two changes of one record take turns. */
function matching(
  type: TypeModel,
  where: Where | null | undefined,
  { project }: GatewayContext,
  isMany: boolean,
): SQL {
  const condition = whereSql(type, where)
  // An empty condition is far more often a mistake than a wish to change everything.
  if (!condition) throw validationError('where: a condition is required.')
  // Materialised, because a join may run a sub-select again, and would then find the next record.
  return sql`
    with found as materialized (
      select r.seq from servicekit.records r
      where r.project_id = ${project.id}::int and r.schema_name = ${type.name} and ${condition}
      order by r.seq ${isMany ? sql`` : sql`limit 1`} for update
    )`
}
