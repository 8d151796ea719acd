import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { bumpTranslations, lockProject } from '../projects/versions.ts'
import {
  editProblem,
  keyProblem,
  moduleNames,
  type OnChanged,
  type TranslationEdit,
} from './edit-translations.ts'
import { type CatalogIds, readCatalogIds } from './save-catalog.ts'
import { saveTranslations, type TranslationRow } from './save-translations.ts'

/** Translation that is not served yet, or pending removal of a key. */
export type Draft =
  | TranslationEdit
  | { readonly module: string; readonly key: string; readonly isRemoved: true }

/** Stored in place of a language's id when the draft removes the key in all languages. */
const everyLanguage = 0

/** Saves drafts, all or none. */
export function saveDrafts(
  database: Database,
  project: Project,
  drafts: readonly Draft[],
): Promise<{ readonly saved: number } | { readonly fault: string }> {
  return database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    const ids = await readCatalogIds(tables)
    const fault = drafts
      .map((draft) =>
        'isRemoved' in draft ? keyProblem(draft.module, draft.key, ids) : editProblem(draft, ids),
      )
      .find(Boolean)
    if (fault) return { fault }
    await writeDrafts(tables, project.id, drafts, ids)
    return { saved: drafts.length }
  })
}

/** Writes drafts of known languages and modules. The last draft of a translation wins. */
export async function writeDrafts(
  tables: Tables,
  projectId: number,
  drafts: readonly Draft[],
  ids: CatalogIds,
): Promise<void> {
  const rows = new Map(
    drafts.map((draft) => {
      const moduleId = ids.modules.get(draft.module)!
      const languageId = 'isRemoved' in draft ? everyLanguage : ids.languages.get(draft.language)!
      const value = 'isRemoved' in draft ? null : draft.value
      const id = JSON.stringify([moduleId, languageId, draft.key])
      return [id, { moduleId, languageId, key: draft.key, value }]
    }),
  )
  const list = [...rows.values()]
  const given = sql`unnest(
    ${sql.param(list.map(({ moduleId }) => moduleId))}::int[],
    ${sql.param(list.map(({ languageId }) => languageId))}::int[],
    ${sql.param(list.map(({ key }) => key))}::text[],
    ${sql.param(list.map(({ value }) => value))}::text[]
  ) as u (module_id, language_id, key, value)`
  // A key has either a pending removal or pending translations; the newer draft wins.
  await tables.execute(sql`
    delete from servicekit.drafts d using ${given}
    where d.module_id = u.module_id and d.key = u.key
      and (d.language_id = ${everyLanguage}) <> (u.language_id = ${everyLanguage})`)
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
  const { rowCount } = await tables.execute(
    only
      ? sql`delete from servicekit.drafts where key = ${only.key} and module_id =
          (select id from servicekit.modules where name = ${only.module})`
      : sql`delete from servicekit.drafts`,
  )
  return rowCount ?? 0
}

/** Publishes all drafts: languages, modules, translations and removals of keys. */
export function publishDrafts(database: Database, project: Project, onChanged: OnChanged) {
  return database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    return publish(tables, project.id, onChanged)
  })
}

/** Publishes all drafts within a transaction that holds the project's lock. */
export async function publish(
  tables: Tables,
  projectId: number,
  onChanged: OnChanged,
): Promise<{ readonly changedModules: readonly string[] }> {
  let isCatalogChanged = false
  for (const table of [sql`languages`, sql`modules`]) {
    const { rowCount } = await tables.execute(sql`
      update servicekit.${table} set is_draft = false where is_draft`)
    isCatalogChanged ||= rowCount! > 0
  }
  const removed = await removeKeys(tables)
  const changed = await saveTranslations(tables, projectId, await draftedRows(tables))
  await discardDrafts(tables)
  const changedIds = new Set([...removed, ...changed])
  if (changedIds.size === 0 && !isCatalogChanged) return { changedModules: [] }
  await bumpTranslations(tables, projectId)
  const changedModules = moduleNames(changedIds, await readCatalogIds(tables))
  await onChanged(tables, changedModules)
  return { changedModules }
}

/** Removes the keys with a drafted removal. @returns the ids of their modules. */
async function removeKeys(tables: Tables): Promise<readonly number[]> {
  const { rows } = await tables.execute<{ module_id: number }>(sql`
    with gone as (
      delete from servicekit.keys k using servicekit.drafts d
      where d.language_id = ${everyLanguage} and k.module_id = d.module_id and k.key = d.key
      returning k.id, k.module_id
    )
    delete from servicekit.texts t using gone
    where t.module_id = gone.module_id and t.key_id = gone.id
    returning t.module_id`)
  return rows.map((row) => row.module_id)
}

async function draftedRows(tables: Tables): Promise<readonly TranslationRow[]> {
  const { rows } = await tables.execute<TranslationRow & Record<string, unknown>>(sql`
    select module_id as "moduleId", language_id as "languageId", key, value
    from servicekit.drafts where language_id <> ${everyLanguage}`)
  return rows
}
