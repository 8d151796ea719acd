import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import type { Project } from '../projects/project-directory.ts'
import { bumpVersion, scopedAndLocked } from '../projects/versions.ts'
import { readCatalogIds } from './catalog.ts'
import { deleteKeys, type Draft, everyLanguage, moduleNames, rowsOf } from './edit-translations.ts'
import { rowColumns, saveTranslations, type TranslationRow } from './save-translations.ts'

/** Saves drafts, all or none. @throws HTTPException 400 */
export const saveDrafts = (
  database: Database,
  project: Project,
  drafts: readonly Draft[],
): Promise<{ readonly saved: number }> =>
  scopedAndLocked(database, project, async (tables) => {
    await writeDrafts(tables, project.id, drafts)
    return { saved: drafts.length }
  })

/** Writes drafts. The caller holds the lock on the project's row. @throws HTTPException 400 */
export async function writeDrafts(
  tables: Tables,
  projectId: number,
  drafts: readonly Draft[],
): Promise<void> {
  const given = recordset(rowsOf(drafts, await readCatalogIds(tables)), rowColumns)
  // A key has either a pending removal or pending translations; the newer draft wins.
  await tables.execute(sql`
    delete from servicekit.drafts d using ${given}
    where d.module_id = u."moduleId" and d.key = u.key
      and (d.language_id = ${everyLanguage}) <> (u."languageId" = ${everyLanguage})`)
  await tables.execute(sql`
    insert into servicekit.drafts (project_id, module_id, language_id, key, value)
    select ${projectId}::int, u.* from ${given}
    on conflict (module_id, key, language_id) do update set value = excluded.value`)
}

/** Returns the drafts of the scope's project, ordered by module, key and language. */
export async function readDrafts(tables: Tables): Promise<readonly Draft[]> {
  const { rows } = await tables.execute<{
    module: string
    key: string
    language: string | null
    value: string | null
  }>(sql`
    select m.name as module, d.key, l.code as language, d.value from servicekit.drafts d
    join servicekit.modules m on m.id = d.module_id
    left join servicekit.languages l on l.id = d.language_id
    order by m.position, d.key collate "C", l.position`)
  return rows.map(({ module, key, language, value }) =>
    language === null ? { module, key, isRemoved: true } : { module, key, language, value },
  )
}

/**
 * Discards the drafts of one key, or all drafted translations and removals.
 * @returns the number of discarded drafts.
 */
export async function discardDrafts(
  tables: Tables,
  only?: { readonly module: string; readonly key: string },
): Promise<number> {
  const condition = only
    ? sql`key = ${only.key} and module_id =
        (select id from servicekit.modules where name = ${only.module})`
    : sql`true`
  const { rowCount } = await tables.execute(sql`delete from servicekit.drafts where ${condition}`)
  return rowCount ?? 0
}

/**
 * Publishes all drafts: languages, modules, translations and removals of keys. The caller
 * holds the project's lock.
 *
 * @returns the changed modules; undefined if nothing changed.
 */
export async function publish(
  tables: Tables,
  projectId: number,
): Promise<readonly string[] | undefined> {
  let isCatalogChanged = false
  for (const table of [sql`languages`, sql`modules`]) {
    const { rowCount } = await tables.execute(sql`
      update servicekit.${table} set is_draft = false where is_draft`)
    isCatalogChanged ||= rowCount! > 0
  }
  const removed = await deleteKeys(
    tables,
    sql`exists (select from servicekit.drafts d
      where d.language_id = ${everyLanguage} and k.module_id = d.module_id and k.key = d.key)`,
  )
  const { rows } = await tables.execute<TranslationRow & Record<string, unknown>>(sql`
    select module_id as "moduleId", language_id as "languageId", key, value
    from servicekit.drafts where language_id <> ${everyLanguage}`)
  const changed = await saveTranslations(tables, projectId, rows)
  await discardDrafts(tables)
  const changedIds = new Set([...removed, ...changed])
  if (changedIds.size === 0 && !isCatalogChanged) return undefined
  await bumpVersion(tables, projectId, 'texts_version')
  return moduleNames(changedIds, await readCatalogIds(tables))
}
