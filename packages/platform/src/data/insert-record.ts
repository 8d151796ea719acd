import { sql } from 'drizzle-orm'
import { statementSql } from '../database/statement-sql.ts'
import type { Statement } from '../database/statement.ts'
import { type ActionResponse, done, missed } from './action-response.ts'
import { checkInput, type Values } from './check-input.ts'
import { validationError } from './gateway-error.ts'
import type { DataModel, TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { systemField } from './system-fields.ts'

/** Who is recorded as the author of a record while requests carry no session. */
export const nobody = 'anonymous'

/** A record as it goes into its row. */
interface Row {
  readonly itemId: string
  readonly language: string
  readonly organizationId: string
  readonly tags: readonly string[]
  readonly data: string
}

/**
 * Inserts one record and fills its system fields.
 *
 * @throws GraphQLError `VALIDATION_ERROR` when a required field has no value, or
 * a text cannot be stored.
 */
export async function insertRecord(
  type: TypeModel,
  types: DataModel['types'],
  input: Values,
  context: GatewayContext,
): Promise<ActionResponse> {
  checkInput(type, types, input, 'insert')
  const row = rowOf(input, context)
  const { count } = await context.change(insertOne(type, row, context))
  return count === 1 ? done([row.itemId], false) : missed(takenMessage(type, [row.itemId]))
}

/**
 * Inserts records, all of them or none.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export async function insertRecords(
  type: TypeModel,
  types: DataModel['types'],
  inputs: readonly Values[],
  context: GatewayContext,
): Promise<ActionResponse> {
  if (inputs.length > context.maxPageSize) {
    throw validationError(`input: more than ${context.maxPageSize} records at once.`)
  }
  for (const [index, input] of inputs.entries()) {
    checkInput(type, types, input, 'insert', `input[${index}].`)
  }
  const rows = inputs.map((input) => rowOf(input, context))
  const ids = rows.map(({ itemId }) => itemId)
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  if (twice.length > 0) return missed(`The ItemId ${twice[0]} is there twice.`)
  if (rows.length === 0) return done([], true)
  const taken = await context.write(async (tables) => {
    const { rows: old } = await tables.execute<{ item_id: string }>(sql`
      select item_id from servicekit.records where project_id = ${context.project.id}::int
        and schema_name = ${type.name} and item_id = any(${sql.param(ids)}::text[])`)
    if (old.length > 0) return old.map((row) => row.item_id)
    for (const row of rows) await tables.execute(statementSql(insertOne(type, row, context)))
    return []
  })
  return taken.length > 0 ? missed(takenMessage(type, taken)) : done(ids, true)
}

function rowOf(input: Values, { project, newId }: GatewayContext): Row {
  const properties = Object.entries(input).filter(([name]) => !systemField(name))
  return {
    itemId: textOf(input['ItemId']) ?? newId(),
    language: textOf(input['Language']) ?? project.fallback,
    organizationId: textOf(input['OrganizationId']) ?? project.organizationId,
    tags: (input['Tags'] as readonly string[] | null | undefined) ?? [],
    data: JSON.stringify(Object.fromEntries(properties)),
  }
}

const insert = `
  insert into servicekit.records (project_id, schema_name, item_id, created_date,
    last_updated_date, created_by, last_updated_by, language, organization_id, tags, data)
  values ($1::int, $2, $3, $4::timestamptz, $4::timestamptz, $5, $5, $6, $7, $8::text[], $9::jsonb)
  on conflict (project_id, schema_name, item_id) do nothing`

const insertOne = (type: TypeModel, row: Row, { project, now }: GatewayContext): Statement => ({
  text: insert,
  values: [
    project.id,
    type.name,
    row.itemId,
    now(),
    nobody,
    row.language,
    row.organizationId,
    row.tags,
    row.data,
  ],
})

const takenMessage = (type: TypeModel, ids: readonly string[]): string =>
  `There is a ${type.name} with the ItemId ${ids.join(', ')} already.`

/** An empty id is none: forms send what was left blank as an empty string. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
