import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'

/** Translation file, identified by its language and module ids. */
export interface FileId {
  readonly languageId: number
  readonly moduleId: number
}

/** Translation as the database identifies it. Each must occur only once. */
export interface TranslationRow extends FileId {
  readonly key: string
  readonly value: string | null
}

/** Rows per statement: large enough to be fast, small enough for one protocol message. */
const chunkSize = 20_000

/**
 * Writes the translations that differ, and creates missing keys. The caller holds the lock
 * on the project's row.
 *
 * @param whole files that the rows contain completely: other translations are removed, and
 * keys of their modules that have none in any language.
 * @returns the ids of the modules in which anything changed.
 */
export async function saveTranslations(
  tables: Tables,
  projectId: number,
  rows: readonly TranslationRow[],
  whole: readonly FileId[] = [],
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>()
  const note = (result: { readonly rows: readonly Record<string, unknown>[] }): void => {
    for (const row of result.rows) changed.add(row['module_id'] as number)
  }
  for (let start = 0; start < rows.length; start += chunkSize) {
    const given = rowsAsTable(rows.slice(start, start + chunkSize))
    await tables.execute(sql`
      insert into servicekit.keys (project_id, module_id, key)
      select distinct ${projectId}::int, u.module_id, u.key from ${given}
      where not exists (
        select from servicekit.keys k where k.module_id = u.module_id and k.key = u.key)`)
    note(
      await tables.execute(sql`
        insert into servicekit.texts as old (project_id, module_id, language_id, key_id, value)
        select ${projectId}::int, u.module_id, u.language_id, k.id, u.value from ${given}
        join servicekit.keys k on k.module_id = u.module_id and k.key = u.key
        on conflict (module_id, language_id, key_id) do update set value = excluded.value
          where old.value is distinct from excluded.value
        returning module_id`),
    )
  }
  if (whole.length > 0) note(await removeOthers(tables, rows, whole))
  return changed
}

/** Removes the translations of the files that are not among the rows. */
async function removeOthers(
  tables: Tables,
  rows: readonly TranslationRow[],
  whole: readonly FileId[],
) {
  const moduleIds = sql`${sql.param(whole.map(({ moduleId }) => moduleId))}::int[]`
  const removed = await tables.execute(sql`
    delete from servicekit.texts t
    using servicekit.keys k,
      unnest(${moduleIds}, ${sql.param(whole.map(({ languageId }) => languageId))}::int[])
        as f (module_id, language_id)
    where t.module_id = f.module_id and t.language_id = f.language_id and k.id = t.key_id
      and not exists (
        select from ${rowsAsTable(rows)}
        where u.module_id = t.module_id and u.language_id = t.language_id and u.key = k.key)
    returning t.module_id`)
  if (removed.rows.length > 0) {
    await tables.execute(sql`
      delete from servicekit.keys k where k.module_id = any(${moduleIds})
        and not exists (
          select from servicekit.texts t where t.module_id = k.module_id and t.key_id = k.id)`)
  }
  return removed
}

const rowsAsTable = (rows: readonly TranslationRow[]) => sql`unnest(
  ${sql.param(rows.map(({ moduleId }) => moduleId))}::int[],
  ${sql.param(rows.map(({ languageId }) => languageId))}::int[],
  ${sql.param(rows.map(({ key }) => key))}::text[],
  ${sql.param(rows.map(({ value }) => value))}::text[]
) as u (module_id, language_id, key, value)`
