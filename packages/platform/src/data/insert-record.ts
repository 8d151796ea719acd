import { type SQL, sql } from 'drizzle-orm'
import { type ActionResponse, done, missed } from './action-response.ts'
import { checkInput, type Values } from './check-input.ts'
import { hasSqlState, validationError } from './gateway-error.ts'
import type { DataModel, TypeModel } from './model.ts'
import type { GatewayContext } from './resolvers.ts'
import { systemField } from './system-fields.ts'

/** Author of records written by a request without a caller. */
export const nobody = 'anonymous'

/** Cost of checking and writing a record, excluding its values. */
const recordCost = 5

/** Record, prepared for its row. */
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
 * @throws GraphQLError `VALIDATION_ERROR` if a required field has no value, or a string
 * cannot be stored.
 */
export async function insertRecord(
  type: TypeModel,
  types: DataModel['types'],
  input: Values,
  context: GatewayContext,
): Promise<ActionResponse> {
  context.spend(recordCost)
  checkInput(type, types, input, 'insert')
  return insertAll(type, [rowOf(input, context)], context, false)
}

/**
 * Inserts all records, or none.
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
  context.spend(inputs.length * recordCost)
  for (const [index, input] of inputs.entries()) {
    checkInput(type, types, input, 'insert', `input[${index}].`)
  }
  const rows = inputs.map((input) => rowOf(input, context))
  const seen = new Set<string>()
  const twice = rows.find(({ itemId }) => seen.has(itemId) || !seen.add(itemId))
  if (twice) return missed(`The ItemId ${twice.itemId} occurs twice.`)
  if (rows.length === 0) return done([], true)
  return insertAll(type, rows, context, true)
}

async function insertAll(
  type: TypeModel,
  rows: readonly Row[],
  context: GatewayContext,
  isMany: boolean,
): Promise<ActionResponse> {
  const ids = rows.map(({ itemId }) => itemId)
  try {
    const taken = (await context.runStatement(insertRows(type, rows, context))).rows
    if (taken.length === 0) return done(ids, isMany)
    return missed(
      takenMessage(
        type,
        taken.map((row) => row['item_id'] as string),
      ),
    )
  } catch (error) {
    // Another request inserted one of these records after the statement began.
    if (hasSqlState(error, '23505')) return missed(takenMessage(type, ids))
    throw error
  }
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

/**
 * Inserts all rows, or returns the ids that already exist and inserts none. Tags are sent
 * as JSON, because PostgreSQL arrays of arrays must be rectangular.
 */
function insertRows(
  type: TypeModel,
  rows: readonly Row[],
  { project, now, author }: GatewayContext,
): SQL {
  const time = now()
  const column = (valueOf: (row: Row) => string): SQL =>
    sql`${sql.param(rows.map(valueOf))}::text[]`
  return sql`
    with given as materialized (
      select * from unnest(
        ${column(({ itemId }) => itemId)},
        ${column(({ language }) => language)},
        ${column(({ organizationId }) => organizationId)},
        ${column(({ tags }) => JSON.stringify(tags))},
        ${column(({ data }) => data)}
      ) as u (item_id, language, organization_id, tags, data)
    ), taken as materialized (
      select r.item_id from servicekit.records r
      where r.project_id = ${project.id} and r.schema_name = ${type.name}
        and r.item_id in (select item_id from given)
    ), inserted as (
      insert into servicekit.records (project_id, schema_name, item_id, created_date,
        last_updated_date, created_by, last_updated_by, language, organization_id, tags, data)
      select ${project.id}::int, ${type.name}, g.item_id, ${time}::timestamptz,
        ${time}::timestamptz, ${author}, ${author}, g.language, g.organization_id,
        array(select jsonb_array_elements_text(g.tags::jsonb)), g.data::jsonb
      from given g where not exists (select from taken)
    )
    select item_id from taken`
}

const takenMessage = (type: TypeModel, ids: readonly string[]): string =>
  `There is a ${type.name} with the ItemId ${ids.join(', ')} already.`

/** Treats an empty id as absent, because forms send blank fields as empty strings. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
