import { type SQL, sql } from 'drizzle-orm'
import { type ActionResponse, done, missed } from './action-response.ts'
import { checkInput, type Values } from './check-input.ts'
import { conditionsOf } from './dynamic-query.ts'
import { validationError } from './gateway-error.ts'
import type { DataModel, TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { systemField } from './system-fields.ts'
import { type Where, whereSql } from './where.ts'

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
  const properties = Object.entries(input).filter(([name]) => !systemField(name))
  const system = Object.entries(input).flatMap(([name, value]) => {
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
  { project, spend, runStatement }: GatewayContext,
): Promise<ActionResponse> {
  const condition = whereSql(type, conditionsOf(type, where, filter, spend), spend)
  // An empty condition is more likely a mistake than an intent to change everything.
  if (!condition) throw validationError('where or filter: a condition is required.')
  // Materialized, because a join may run a sub-select again, and would then find the next
  // record.
  const { rows } = await runStatement(sql`
    with found as materialized (
      select r.seq from servicekit.records r
      where r.project_id = ${project.id} and r.schema_name = ${type.name} and ${condition}
      order by r.seq ${isMany ? sql`` : sql`limit 1`} for update
    )
    ${statement} where seq in (select seq from found) returning item_id`)
  if (rows.length === 0) return missed(`No ${type.name} matches.`)
  return done(
    rows.map((row) => row['item_id'] as string),
    isMany,
  )
}
