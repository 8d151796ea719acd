import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { languages as languageTable, modules as moduleTable } from '../database/tables.ts'
import type { ProjectSource } from '../projects/project-source.ts'

/** Database ids of a project's languages by code and modules by name. */
export interface CatalogIds {
  readonly languages: ReadonlyMap<string, number>
  readonly modules: ReadonlyMap<string, number>
}

/** Outcome of {@link saveCatalog}. */
export interface SavedCatalog extends CatalogIds {
  readonly hasChanged: boolean
}

/**
 * Replaces the project's languages and modules with the given ones, in their order. Those
 * that are not given are removed with their translations.
 *
 * @param isNew whether the project was just created, so that it has none.
 */
export async function saveCatalog(
  tables: Tables,
  projectId: number,
  { languages, modules }: Pick<ProjectSource, 'languages' | 'modules'>,
  isNew: boolean,
): Promise<SavedCatalog> {
  const oldLanguages = isNew ? [] : await tables.select().from(languageTable)
  const oldModules = isNew ? [] : await tables.select().from(moduleTable)
  const languageDiff = compare(
    oldLanguages.map((row) => ({ ...row, identity: row.code })),
    languages.map((one, index) => ({
      identity: one.languageCode,
      itemId: one.itemId,
      name: one.languageName,
      code: one.languageCode,
      isDefault: one.isDefault,
      position: index + 1,
      isDraft: false,
    })),
  )
  const moduleDiff = compare(
    oldModules.map((row) => ({ ...row, identity: row.name })),
    modules.map((one, index) => ({
      identity: one.moduleName,
      itemId: one.itemId,
      name: one.moduleName,
      position: index + 1,
      isDraft: false,
    })),
  )
  await removeGone(tables, languageDiff.gone, moduleDiff.gone)
  const newLanguages = await writeLanguages(tables, projectId, languageDiff.different)
  const newModules = await writeModules(tables, projectId, moduleDiff.different)
  return {
    hasChanged: [languageDiff, moduleDiff].some(
      ({ gone, different }) => gone.length + different.length > 0,
    ),
    languages: new Map([...languageDiff.kept, ...newLanguages]),
    modules: new Map([...moduleDiff.kept, ...newModules]),
  }
}

/** Reads the ids of the languages and modules of the scope's project. */
export async function readCatalogIds(tables: Tables): Promise<CatalogIds> {
  const languages = await tables.select().from(languageTable)
  const modules = await tables.select().from(moduleTable)
  return {
    languages: new Map(languages.map(({ id, code }) => [code, id])),
    modules: new Map(modules.map(({ id, name }) => [name, id])),
  }
}

interface Identified {
  readonly identity: string
}

/** Splits entries into removed, new or changed, and unchanged ones. */
function compare<New extends Identified, Old extends New & { readonly id: number }>(
  old: readonly Old[],
  wanted: readonly New[],
) {
  const byIdentity = new Map(old.map((row) => [row.identity, row]))
  const identities = new Set(wanted.map(({ identity }) => identity))
  const isSame = (row: New | undefined, one: New): boolean =>
    row !== undefined &&
    (Object.keys(one) as (keyof New)[]).every((name) => row[name] === one[name])
  const kept = wanted.filter((one) => isSame(byIdentity.get(one.identity), one))
  return {
    gone: old.filter(({ identity }) => !identities.has(identity)).map(({ id }) => id),
    different: wanted.filter((one) => !isSame(byIdentity.get(one.identity), one)),
    kept: kept.map(({ identity }) => [identity, byIdentity.get(identity)!.id] as const),
  }
}

type LanguageRow = Omit<typeof languageTable.$inferInsert, 'projectId'>
type ModuleRow = Omit<typeof moduleTable.$inferInsert, 'projectId'>

async function writeLanguages(tables: Tables, projectId: number, rows: readonly LanguageRow[]) {
  if (rows.length === 0) return []
  const { itemId, name, isDefault, position, isDraft } = languageTable
  const written = await tables
    .insert(languageTable)
    .values(rows.map((row) => ({ ...row, projectId })))
    .onConflictDoUpdate({
      target: [languageTable.projectId, languageTable.code],
      set: excluded({ itemId, name, isDefault, position, isDraft }),
    })
    .returning({ id: languageTable.id, identity: languageTable.code })
  return written.map(({ id, identity }) => [identity, id] as const)
}

async function writeModules(tables: Tables, projectId: number, rows: readonly ModuleRow[]) {
  if (rows.length === 0) return []
  const { itemId, position, isDraft } = moduleTable
  const written = await tables
    .insert(moduleTable)
    .values(rows.map((row) => ({ ...row, projectId })))
    .onConflictDoUpdate({
      target: [moduleTable.projectId, moduleTable.name],
      set: excluded({ itemId, position, isDraft }),
    })
    .returning({ id: moduleTable.id, identity: moduleTable.name })
  return written.map(({ id, identity }) => [identity, id] as const)
}

/** Sets columns to the values that the insert would have written. */
const excluded = (columns: Readonly<Record<string, { readonly name: string }>>) =>
  Object.fromEntries(
    Object.entries(columns).map(([key, { name }]) => [key, sql.raw(`excluded."${name}"`)]),
  )

/** Removes languages and modules with their translations. */
export async function removeGone(
  tables: Tables,
  languageIds: readonly number[],
  moduleIds: readonly number[],
): Promise<void> {
  if (languageIds.length + moduleIds.length === 0) return
  for (const table of [sql`texts`, sql`files`, sql`drafts`]) {
    await tables.execute(sql`
      delete from servicekit.${table} where language_id = any(${sql.param(languageIds)}::int[])
        or module_id = any(${sql.param(moduleIds)}::int[])`)
  }
  await tables.execute(sql`
    delete from servicekit.keys where module_id = any(${sql.param(moduleIds)}::int[])`)
  await tables.execute(sql`
    delete from servicekit.languages where id = any(${sql.param(languageIds)}::int[])`)
  await tables.execute(sql`
    delete from servicekit.modules where id = any(${sql.param(moduleIds)}::int[])`)
}
