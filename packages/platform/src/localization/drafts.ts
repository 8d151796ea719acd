import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { textFault } from '../projects/text.ts'
import { bumpTexts, lockProject } from '../projects/versions.ts'
import { type Edited, namesOf, type OnChanged } from './edit-texts.ts'
import { type CatalogIds, readCatalogIds } from './save-catalog.ts'
import { type ChangedFile, type FileTexts, saveTexts } from './save-texts.ts'

/** Translation that is not served yet, or pending removal of a key. */
export type Draft =
  | {
      readonly module: string
      readonly key: string
      readonly language: string
      readonly value: string | null
    }
  | { readonly module: string; readonly key: string; readonly isRemoved: true }

/** Stored in place of a language's number when the draft applies to the key in all languages. */
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
    const fault = drafts.map((draft) => faultOf(draft, ids)).find(Boolean)
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
      return [
        JSON.stringify([moduleId, languageId, draft.key]),
        { moduleId, languageId, key: draft.key, value },
      ]
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
export function publishDrafts(
  database: Database,
  project: Project,
  onChanged: OnChanged,
): Promise<Exclude<Edited, { fault: string }>> {
  return database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    return publish(tables, project.id, onChanged)
  })
}

/** Publishes all drafts within a transaction that holds the project's lock. */
export async function publish(tables: Tables, projectId: number, onChanged: OnChanged) {
  const added = await showDrafted(tables)
  const removed = await removeKeys(tables)
  const changed = await saveTexts(tables, projectId, await readFiles(tables), {
    isWhole: false,
    isNew: false,
  })
  await tables.execute(sql`delete from servicekit.drafts`)
  const files = distinct([...removed, ...changed])
  if (files.length === 0 && !added) return { changedModules: [] }
  await bumpTexts(tables, projectId, files)
  const changedModules = namesOf(files, await readCatalogIds(tables))
  await onChanged(tables, changedModules)
  return { changedModules }
}

async function showDrafted(tables: Tables): Promise<boolean> {
  const counts = []
  for (const table of [sql`languages`, sql`modules`]) {
    counts.push(
      await tables.execute(sql`update servicekit.${table} set is_draft = false where is_draft`),
    )
  }
  return counts.some(({ rowCount }) => rowCount! > 0)
}

async function removeKeys(tables: Tables): Promise<readonly ChangedFile[]> {
  const { rows } = await tables.execute<{ language_id: number; module_id: number }>(sql`
    with gone as (
      delete from servicekit.keys k using servicekit.drafts d
      where d.language_id = ${everyLanguage} and k.module_id = d.module_id and k.key = d.key
      returning k.id, k.module_id
    )
    delete from servicekit.texts t using gone
    where t.module_id = gone.module_id and t.key_id = gone.id
    returning t.language_id, t.module_id`)
  return rows.map((row) => ({ languageId: row.language_id, moduleId: row.module_id }))
}

async function readFiles(tables: Tables): Promise<readonly FileTexts[]> {
  const { rows } = await tables.execute<{
    module_id: number
    language_id: number
    key: string
    value: string | null
  }>(sql`
    select module_id, language_id, key, value from servicekit.drafts
    where language_id <> ${everyLanguage} order by module_id, language_id`)
  const files = new Map<string, FileTexts & { readonly texts: Map<string, string | null> }>()
  for (const row of rows) {
    const id = `${row.language_id} ${row.module_id}`
    const file = files.get(id) ?? {
      languageId: row.language_id,
      moduleId: row.module_id,
      texts: new Map(),
    }
    files.set(id, file)
    file.texts.set(row.key, row.value)
  }
  return [...files.values()]
}

const distinct = (files: readonly ChangedFile[]): readonly ChangedFile[] => [
  ...new Map(files.map((file) => [`${file.languageId} ${file.moduleId}`, file])).values(),
]

function faultOf(draft: Draft, ids: CatalogIds): string | undefined {
  const { module, key } = draft
  if (!ids.modules.has(module)) return `The project has no module ${module}.`
  if (key === '') return 'A key cannot be empty.'
  const value = 'isRemoved' in draft ? null : draft.value
  if (!('isRemoved' in draft) && !ids.languages.has(draft.language)) {
    return `The project has no language ${draft.language}.`
  }
  const fault = textFault(key) ?? (value === null ? undefined : textFault(value))
  return fault && `The text of ${key} ${fault}.`
}
