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
  context.spend(inputs.length * recordCost)
  for (const [index, input] of inputs.entries()) {
    checkInput(type, types, input, 'insert', isMany ? `input[${index}].` : '')
  }
  const rows = inputs.map((input) => rowOf(input, context))
  const ids = rows.map(({ itemId }) => itemId)
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index)
  if (duplicate !== undefined) return missed(`The ItemId ${duplicate} occurs twice.`)
  if (rows.length === 0) return done([], isMany)
  const exists = (taken: readonly unknown[]): ActionResponse =>
    missed(`A ${type.name} with the ItemId ${taken.join(', ')} already exists.`)
  try {
    const taken = await context.runStatement(insertUnlessTaken(type, rows, context))
    if (taken.rows.length > 0) return exists(taken.rows.map((row) => row['item_id']))
    return done(ids, isMany)
  } catch (error) {
    // Another request inserted one of these records after the statement began.
    if (hasSqlState(error, '23505')) return exists(ids)
    throw error
  }
}

function rowOf(input: Values, { project, newId }: GatewayContext): Row {
  const properties = Object.entries(input).filter(([name]) => !systemField(name))
  // Forms send blank fields as empty strings.
  const textOf = (name: string): string | undefined =>
    (input[name] as string | null | undefined) || undefined
  return {
    itemId: textOf('ItemId') ?? newId(),
    language: textOf('Language') ?? project.fallback,
    organizationId: textOf('OrganizationId') ?? project.organizationId,
    tags: (input['Tags'] as readonly string[] | null | undefined) ?? [],
    data: JSON.stringify(Object.fromEntries(properties)),
  }
}

/**
 * Inserts all rows, or returns the ids that already exist and inserts none. Tags are sent
 * as JSON, because PostgreSQL arrays of arrays must be rectangular.
 */
function insertUnlessTaken(
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
