import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import type { StoredRecord } from './record-values.ts'
import { systemFields } from './system-fields.ts'

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
    const ids = records.map(({ schemaName, system }) => ({ schemaName, id: system['ItemId'] }))
    await tables.execute(sql`
      delete from servicekit.records r where not exists (
        select from ${recordset(ids, '"schemaName" text, id text')}
        where u."schemaName" = r.schema_name and u.id = r.item_id)`)
  }
  for (let start = 0; start < records.length; start += chunkSize) {
    await tables.execute(upsert(projectId, records.slice(start, start + chunkSize)))
  }
}

export async function removeOtherRecords(tables: Tables, schemaNames: readonly string[]) {
  await tables.execute(sql`
    delete from servicekit.records where not schema_name = any(${sql.param(schemaNames)}::text[])`)
}

const columns = systemFields.map(({ column }) => column)
const given = systemFields.map(({ name, type, isArray }) => {
  const sqlType = type === 'DateTime' ? 'timestamptz' : 'text'
  return `"${name}" ${sqlType}${isArray ? '[]' : ''}`
})
const values = systemFields.map(({ name }) => {
  if (name === 'CreatedDate') return 'coalesce("CreatedDate", now())'
  if (name === 'LastUpdatedDate') return 'coalesce("LastUpdatedDate", "CreatedDate", now())'
  return name === 'Tags' ? `coalesce("Tags", '{}')` : `"${name}"`
})
const updated = [...columns.filter((column) => column !== 'item_id'), 'data']
const list = (names: readonly string[], prefix = '') =>
  sql.raw(names.map((name) => prefix + name).join(', '))

const upsert = (projectId: number, records: readonly SchemaRecord[]) => sql`
  insert into servicekit.records as old (project_id, schema_name, data, ${list(columns)})
  select ${projectId}::int, "schemaName", data, ${list(values)}
  from ${recordset(
    records.map(({ system, ...record }) => ({ ...record, ...system })),
    ['"schemaName" text, data jsonb', ...given].join(', '),
  )}
  on conflict (project_id, schema_name, item_id) do update
  set (${list(updated)}) = row(${list(updated, 'excluded.')})
  where (${list(updated, 'old.')}) is distinct from (${list(updated, 'excluded.')})`
