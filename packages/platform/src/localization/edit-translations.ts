import { stringProblem, upperFirst } from '@servicekit/core'
import type { translations as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import { Invalid } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { bumpVersion } from '../database/versions.ts'
import { recordset } from '../database/sql-parts.ts'
import { type CatalogIds, publishCatalog, readCatalogIds } from './catalog.ts'
import { keyProblem } from './catalog-names.ts'
import { everyLanguage } from './state-expressions.ts'
import {
  recordRemoval,
  rowColumns,
  saveTranslations,
  type TranslationRow,
} from './save-translations.ts'

type DraftChange = contract.DraftChange
type KeyDetails = contract.KeyDetails
type TranslationEdit = contract.TranslationEdit

/**
 * Sets translations, all or none. The last edit of a translation wins. Creates missing keys, and
 * publishes the languages and modules of the translations. The caller holds the project's lock.
 *
 * @returns the changed modules; undefined if nothing changed.
 * @throws Invalid for an unknown language or module, or an invalid key or value.
 */
export async function setTranslations(
  tables: Tables,
  projectId: number,
  edits: readonly TranslationEdit[],
): Promise<readonly string[] | undefined> {
  const ids = await readCatalogIds(tables)
  const rows = rowsOf(edits, ids)
  const written = rows.filter(({ value }) => value !== null)
  const isCatalogChanged = await publishCatalog(
    tables,
    sql`(select u."languageId" as language_id, u."moduleId" as module_id
      from ${recordset(written, rowColumns)})`,
  )
  const changed = await saveTranslations(tables, projectId, rows)
  if (changed.size === 0 && !isCatalogChanged) return undefined
  await bumpVersion(tables, projectId, 'textsVersion')
  return moduleNames(changed, ids)
}

/**
 * Removes the keys whose removal is drafted, with their translations.
 *
 * @param drafts relation of the drafts that are published.
 * @returns the modules of the removed translations.
 */
export async function removeDraftedKeys(
  tables: Tables,
  projectId: number,
  drafts: SQL,
): Promise<readonly number[]> {
  const { rows: keys } = await tables.execute<{ id: number }>(sql`
    select k.id from ${drafts} d,
      -- The limit makes PostgreSQL look each key up: it does not know how few there are.
      lateral (select id from servicekit.keys k
        where k.module_id = d.module_id and k.key = d.key limit 1) k
    where d.language_id = ${everyLanguage}`)
  if (keys.length === 0) return []
  const isRemoved = sql`k.id = any(${sql.param(keys.map(({ id }) => id))}::int[])`
  await recordRemoval(tables, projectId, isRemoved)
  const { rows } = await tables.execute<{ module_id: number }>(sql`
    delete from servicekit.texts t using servicekit.keys k
    where t.module_id = k.module_id and t.key_id = k.id and ${isRemoved}
    returning t.module_id`)
  await tables.execute(sql`
    delete from servicekit.source_changes s using servicekit.keys k
    where s.module_id = k.module_id and s.key = k.key and ${isRemoved}`)
  await tables.execute(sql`delete from servicekit.keys k where ${isRemoved}`)
  return rows.map((row) => row.module_id)
}

/**
 * Converts edits to rows. The last edit of a translation wins.
 *
 * @throws Invalid
 */
export function rowsOf(edits: readonly DraftChange[], ids: CatalogIds): readonly DraftRow[] {
  const rows = edits.map((edit) => rowOf(edit, ids))
  const byId = rows.map(
    (row) => [JSON.stringify({ ...row, value: null, details: null }), row] as const,
  )
  return [...new Map(byId).values()]
}

type DraftRow = TranslationRow & { readonly details?: KeyDetails | undefined }

function rowOf(edit: DraftChange, { languages, modules }: CatalogIds): DraftRow {
  const { module, key } = edit
  const isOfKey = !('language' in edit)
  const value = isOfKey ? null : edit.value
  const languageId = isOfKey ? everyLanguage : languages.get(edit.language)
  const moduleId = modules.get(module)
  if (languageId === undefined) {
    throw new Invalid(`The project has no language ${(edit as TranslationEdit).language}.`)
  }
  if (moduleId === undefined) throw new Invalid(`The project has no module ${module}.`)
  // Keys that an earlier version accepted can be removed.
  const invalid = isOfKey ? undefined : keyProblem(key)
  if (invalid) throw new Invalid(`${upperFirst(invalid)}.`)
  const problem = stringProblem(key) ?? stringProblem(value ?? '')
  if (problem) throw new Invalid(`The translation of ${key} ${problem}.`)
  return { moduleId, languageId, key, value, details: isOfKey ? undefined : edit.details }
}

/** Returns the names of modules in the order of the catalog. */
export const moduleNames = (
  moduleIds: ReadonlySet<number>,
  { modules }: CatalogIds,
): readonly string[] => [...modules].filter(([, id]) => moduleIds.has(id)).map(([name]) => name)
