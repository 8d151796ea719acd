import { type SQL, sql } from 'drizzle-orm'
import { currentActor } from '../database/actor.ts'
import type { Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import { sourceChange, writtenFrom } from './state-expressions.ts'

export interface FileId {
  readonly languageId: number
  readonly moduleId: number
}

/** Translation as the database identifies it. Each must occur only once. */
export interface TranslationRow extends FileId {
  readonly key: string
  readonly value: string | null
}

/** Maximum number of translations in a parameter. */
const maxRows = 20_000

export const rowColumns = '"moduleId" int, "languageId" int, key text, value text'

/**
 * Writes the translations that differ, and creates missing keys. The caller holds the lock
 * on the project's row.
 *
 * @param whole files that the rows contain completely: other translations are removed, and
 * keys of their modules that have none in any language. Null for a new project, whose
 * translations have no history yet.
 * @returns the ids of the modules in which anything changed.
 */
export async function saveTranslations(
  tables: Tables,
  projectId: number,
  rows: readonly TranslationRow[],
  whole: readonly FileId[] | null = [],
): Promise<ReadonlySet<number>> {
  const changed = new Set<number>()
  const execute = async (statement: SQL): Promise<void> => {
    // Not the statement alone, which returns as many rows as it changes.
    const ids = sql`with changed as (${statement}) select distinct module_id from changed`
    const result = await tables.execute<{ module_id: number }>(ids)
    for (const row of result.rows) changed.add(row.module_id)
  }
  for (const part of await partsOf(tables, rows)) {
    const given = recordset(part, rowColumns)
    if (whole) {
      await recordHistory(
        tables,
        projectId,
        sql`select u.*, t.value from ${given}
          -- Each limit makes PostgreSQL look the row up by its primary key.
          left join lateral (select id from servicekit.keys k
            where k.module_id = u."moduleId" and k.key = u.key limit 1) k on true
          left join lateral (select value from servicekit.texts t where t.module_id = u."moduleId"
            and t.language_id = u."languageId" and t.key_id = k.id limit 1) t on true`,
      )
    }
    await tables.execute(sql`
      insert into servicekit.keys (project_id, module_id, key)
      select distinct ${projectId}::int, "moduleId", key from ${given} where not exists (
        select from servicekit.keys k where k.module_id = u."moduleId" and k.key = u.key)`)
    await execute(sql`
      insert into servicekit.texts as old
        (project_id, module_id, language_id, key_id, value, translated_from)
      select ${projectId}::int, u."moduleId", u."languageId", k.id, u.value, ${writtenFrom}
      from ${given} join servicekit.keys k on k.module_id = u."moduleId" and k.key = u.key
      ${sourceChange}
      on conflict (project_id, module_id, language_id, key_id) do update
      set value = excluded.value, is_reviewed = false, translated_from = excluded.translated_from
      where old.value is distinct from excluded.value
      returning module_id`)
  }
  if (!whole || whole.length === 0) return changed
  for (const languageId of new Set(whole.map((one) => one.languageId))) {
    const ofLanguage = (one: FileId): boolean => one.languageId === languageId
    const wholeIds = whole.filter(ofLanguage).map(({ moduleId }) => moduleId)
    const isRemoved = sql`t.language_id = ${languageId}
      and t.module_id = any(${sql.param(wholeIds)}::int[])
      and t.key_id not in (
        select k.id from ${recordset(rows.filter(ofLanguage), rowColumns)}
        join servicekit.keys k on k.module_id = u."moduleId" and k.key = u.key)`
    await recordRemoval(tables, projectId, isRemoved)
    await execute(sql`delete from servicekit.texts t where ${isRemoved} returning module_id`)
  }
  await tables.execute(sql`
    delete from servicekit.keys k where k.module_id = any(${sql.param([...changed])}::int[])
      and not exists (
        select from servicekit.texts t where t.module_id = k.module_id and t.key_id = k.id)`)
  return changed
}

/**
 * Splits translations into parts, the source texts first: what is written with a source text is
 * translated from that one.
 */
export async function partsOf<Row extends FileId>(
  tables: Tables,
  rows: readonly Row[],
): Promise<readonly (readonly Row[])[]> {
  const { rows: found } = await tables.execute<{ id: number | null }>(
    sql`select servicekit.source_language() as id`,
  )
  const isSource = ({ languageId }: Row): boolean => languageId === found[0]!.id
  const groups = [rows.filter(isSource), rows.filter((row) => !isSource(row))]
  return groups.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / maxRows) }, (_, index) =>
      group.slice(index * maxRows, (index + 1) * maxRows),
    ),
  )
}

/** Records the removal of the translations `t` of keys `k` that match a condition. */
export const recordRemoval = (tables: Tables, projectId: number, condition: SQL): Promise<void> =>
  recordHistory(
    tables,
    projectId,
    sql`select t.module_id, t.language_id, k.key, null, t.value from servicekit.texts t
      join servicekit.keys k on k.module_id = t.module_id and k.id = t.key_id where ${condition}`,
  )

/**
 * Records those of the given changes that differ. Call it before they are made.
 *
 * @param state that translations were given, whose texts did not change.
 */
export async function recordHistory(
  tables: Tables,
  projectId: number,
  changes: SQL,
  state: string | null = null,
): Promise<void> {
  const { actor, reason = null } = currentActor()
  await tables.execute(sql`
    insert into servicekit.text_history
      (project_id, module, key, language, previous, value, actor, reason, state)
    select ${projectId}::int, m.name, c.key, l.code, c.previous, c.value, ${actor}, ${reason}::text,
      ${state}::text
    from (${changes}) c (module_id, language_id, key, value, previous)
    join servicekit.modules m on m.id = c.module_id
    join servicekit.languages l on l.id = c.language_id
    where c.value is distinct from c.previous or ${state}::text is not null
    order by m.position, c.key collate "C", l.position`)
}
