import { stringProblem, upperFirst } from '@servicekit/core'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { httpError } from '../control/control-call.ts'
import type { Tables } from '../database/database.ts'
import { bumpVersion } from '../projects/versions.ts'
import { type CatalogIds, readCatalogIds } from './catalog.ts'
import { keyProblem } from './catalog-names.ts'
import { recordRemoval, saveTranslations, type TranslationRow } from './save-translations.ts'

/** Details of a key for translators. */
export const KeyDetails = z.strictObject({
  context: z.string().optional(),
  maxLength: z.int().positive().optional(),
  usedIn: z.array(z.string()).optional(),
})
export type KeyDetails = z.infer<typeof KeyDetails>

/** Translation to set. Null is stored and served as null. */
export const TranslationEdit = z.strictObject({
  module: z.string(),
  key: z.string(),
  language: z.string(),
  value: z.string().nullable(),
})
export type TranslationEdit = Readonly<z.infer<typeof TranslationEdit>>

const KeyChange = z.strictObject({
  module: z.string(),
  key: z.string(),
  /** Current drafts by language that the change replaces; null if they remove the key. */
  expected: z.record(z.string(), z.string().nullable()).nullable().optional(),
})

/** Translation that is not served yet, pending removal of a key, or discarding of its drafts. */
export const Draft = z.union([
  TranslationEdit.extend({
    details: KeyDetails.optional(),
    /** Current value, drafted or else served, on which the draft is based. */
    expected: z.string().nullable().optional(),
  }),
  KeyChange.extend({ isRemoved: z.literal(true) }),
  KeyChange.extend({ isDiscarded: z.literal(true) }),
])
export type Draft = Readonly<z.infer<typeof Draft>>

/** Language id of a draft that removes a key in all languages. */
export const everyLanguage = 0

/**
 * Sets translations, all or none. The last edit of a translation wins. Creates missing keys.
 * The caller holds the project's lock.
 *
 * @returns the changed modules; undefined if nothing changed.
 * @throws HTTPException 400 for an unknown language or module, or an invalid key or value.
 */
export async function setTranslations(
  tables: Tables,
  projectId: number,
  edits: readonly TranslationEdit[],
): Promise<readonly string[] | undefined> {
  const ids = await readCatalogIds(tables)
  const changed = await saveTranslations(tables, projectId, rowsOf(edits, ids))
  if (changed.size === 0) return undefined
  await bumpVersion(tables, projectId, 'texts_version')
  return moduleNames(changed, ids)
}

/**
 * Deletes the keys `k` that match a condition, with their translations.
 *
 * @returns the ids of their modules.
 */
export async function deleteKeys(
  tables: Tables,
  projectId: number,
  condition: SQL,
): Promise<readonly number[]> {
  await recordRemoval(tables, projectId, condition)
  const { rows } = await tables.execute<{ module_id: number }>(sql`
    delete from servicekit.texts t using servicekit.keys k
    where t.module_id = k.module_id and t.key_id = k.id and ${condition}
    returning t.module_id`)
  await tables.execute(sql`delete from servicekit.keys k where ${condition}`)
  return rows.map((row) => row.module_id)
}

/**
 * Converts edits to rows. The last edit of a translation wins.
 *
 * @throws HTTPException 400
 */
export function rowsOf(edits: readonly Draft[], ids: CatalogIds): readonly DraftRow[] {
  const rows = edits.map((edit) => rowOf(edit, ids))
  const byId = rows.map(
    (row) => [JSON.stringify({ ...row, value: null, details: null }), row] as const,
  )
  return [...new Map(byId).values()]
}

type DraftRow = TranslationRow & { readonly details?: KeyDetails | undefined }

function rowOf(edit: Draft, { languages, modules }: CatalogIds): DraftRow {
  const { module, key } = edit
  const isOfKey = !('language' in edit)
  const value = isOfKey ? null : edit.value
  const languageId = isOfKey ? everyLanguage : languages.get(edit.language)
  const moduleId = modules.get(module)
  if (languageId === undefined) {
    throw httpError(400, `The project has no language ${(edit as TranslationEdit).language}.`)
  }
  if (moduleId === undefined) throw httpError(400, `The project has no module ${module}.`)
  // Keys that an earlier version accepted can be removed.
  const invalid = isOfKey ? undefined : keyProblem(key)
  if (invalid) throw httpError(400, `${upperFirst(invalid)}.`)
  const problem = stringProblem(key) ?? stringProblem(value ?? '')
  if (problem) throw httpError(400, `The translation of ${key} ${problem}.`)
  return { moduleId, languageId, key, value, details: isOfKey ? undefined : edit.details }
}

/** Returns the names of modules in the order of the catalog. */
export const moduleNames = (
  moduleIds: ReadonlySet<number>,
  { modules }: CatalogIds,
): readonly string[] => [...modules].filter(([, id]) => moduleIds.has(id)).map(([name]) => name)
