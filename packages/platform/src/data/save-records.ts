import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { StoredRecord } from './record-values.ts'

/** Records per statement. */
const chunkSize = 2000

/**
 * Writes the records of one schema; those that are the same are left alone.
 *
 * @param isWhole whether records that are not given go.
 */
export async function saveRecords(
  tables: Tables,
  projectId: number,
  schemaName: string,
  records: readonly StoredRecord[],
  isWhole: boolean,
): Promise<void> {
  if (isWhole) {
    const kept = records.map(({ system }) => system['ItemId'])
    await tables.execute(sql`
      delete from servicekit.records where schema_name = ${schemaName}
        and not item_id = any(${sql.param(kept)}::text[])`)
  }
  for (let start = 0; start < records.length; start += chunkSize) {
    const chunk = records.slice(start, start + chunkSize)
    await tables.execute(upsert(projectId, schemaName, JSON.stringify(chunk)))
  }
}

const upsert = (projectId: number, schemaName: string, chunk: string) => sql`
  insert into servicekit.records as old (project_id, schema_name, item_id, created_date,
    last_updated_date, created_by, last_updated_by, language, organization_id, tags, data)
  select ${projectId}::int, ${schemaName}, s->>'ItemId',
    coalesce((s->>'CreatedDate')::timestamptz, now()),
    coalesce((s->>'LastUpdatedDate')::timestamptz, (s->>'CreatedDate')::timestamptz, now()),
    s->>'CreatedBy', s->>'LastUpdatedBy', s->>'Language', s->>'OrganizationId',
    case when jsonb_typeof(s->'Tags') = 'array'
      then array(select jsonb_array_elements_text(s->'Tags')) else '{}' end,
    given.value->'data'
  from jsonb_array_elements(${chunk}::jsonb) with ordinality as given (value, position),
    lateral (select given.value->'system' as s) as parts
  order by given.position
  on conflict (project_id, schema_name, item_id) do update set
    created_date = excluded.created_date, last_updated_date = excluded.last_updated_date,
    created_by = excluded.created_by, last_updated_by = excluded.last_updated_by,
    language = excluded.language, organization_id = excluded.organization_id,
    tags = excluded.tags, data = excluded.data
  where (old.created_date, old.last_updated_date, old.created_by, old.last_updated_by,
      old.language, old.organization_id, old.tags, old.data)
    is distinct from (excluded.created_date, excluded.last_updated_date, excluded.created_by,
      excluded.last_updated_by, excluded.language, excluded.organization_id, excluded.tags,
      excluded.data)`

/** Removes the records of schemas that are no longer there. */
export async function removeOtherRecords(tables: Tables, schemaNames: readonly string[]) {
  await tables.execute(sql`
    delete from servicekit.records where not schema_name = any(${sql.param(schemaNames)}::text[])`)
}
