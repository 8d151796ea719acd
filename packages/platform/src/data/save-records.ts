import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { StoredRecord } from './record-values.ts'
import { systemFields } from './system-fields.ts'

/** Record, with the name of its schema. */
export interface SchemaRecord extends StoredRecord {
  readonly schemaName: string
}

/** Number of records per statement. */
const chunkSize = 2000

/**
 * Inserts or updates records. Leaves unchanged records alone.
 *
 * @param isWhole removes all other records of the scope's project.
 */
export async function saveRecords(
  tables: Tables,
  projectId: number,
  records: readonly SchemaRecord[],
  isWhole: boolean,
): Promise<void> {
  if (isWhole) {
    await tables.execute(sql`
      delete from servicekit.records r where not exists (
        select from unnest(
          ${sql.param(records.map(({ schemaName }) => schemaName))}::text[],
          ${sql.param(records.map(({ system }) => system['ItemId']))}::text[]
        ) as u (schema_name, item_id)
        where u.schema_name = r.schema_name and u.item_id = r.item_id)`)
  }
  for (let start = 0; start < records.length; start += chunkSize) {
    await tables.execute(upsert(projectId, records.slice(start, start + chunkSize)))
  }
}

/** Removes the records of schemas other than these. */
export async function removeOtherRecords(tables: Tables, schemaNames: readonly string[]) {
  await tables.execute(sql`
    delete from servicekit.records where not schema_name = any(${sql.param(schemaNames)}::text[])`)
}

const columns = systemFields.map(({ column }) => column).join(', ')

function upsert(projectId: number, records: readonly SchemaRecord[]) {
  const list = (values: readonly unknown[]) => sql`${sql.param(values)}::text[]`
  const system = systemFields.map(({ name, isArray }) =>
    list(
      records.map(({ system: values }) =>
        isArray ? arrayText((values[name] as string[] | null) ?? []) : values[name],
      ),
    ),
  )
  return sql`
    insert into servicekit.records as old (project_id, schema_name, ${sql.raw(columns)}, data)
    select ${projectId}::int, u.schema_name, u.item_id,
      coalesce(u.created_date::timestamptz, now()),
      coalesce(u.last_updated_date::timestamptz, u.created_date::timestamptz, now()),
      u.created_by, u.last_updated_by, u.language, u.organization_id, u.tags::text[], u.data::jsonb
    from unnest(
      ${list(records.map(({ schemaName }) => schemaName))},
      ${sql.join(system, sql`, `)},
      ${list(records.map(({ data }) => JSON.stringify(data)))}
    ) as u (schema_name, ${sql.raw(columns)}, data)
    ${orUpdate}`
}

/**
 * Formats an array as a PostgreSQL literal, because nested array parameters must be
 * rectangular.
 */
const arrayText = (values: readonly string[]): string =>
  `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`

const updated = [
  ...systemFields.map(({ column }) => column).filter((name) => name !== 'item_id'),
  'data',
]
const orUpdate = sql.raw(`
  on conflict (project_id, schema_name, item_id) do update
  set ${updated.map((name) => `${name} = excluded.${name}`).join(', ')}
  where (${updated.map((name) => `old.${name}`).join(', ')})
    is distinct from (${updated.map((name) => `excluded.${name}`).join(', ')})`)
