import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { languages as languageTable, modules as moduleTable } from '../database/tables.ts'
import type { ProjectSource } from '../projects/project-source.ts'

/** Database ids of a project's languages by code and modules by name. */
export interface CatalogIds {
  readonly languages: ReadonlyMap<string, number>
  readonly modules: ReadonlyMap<string, number>
}

/**
 * Replaces the project's languages and modules with the given ones, in their order. Those
 * that are not given are removed with their translations.
 *
 * @returns true if anything changed.
 */
export async function saveCatalog(
  tables: Tables,
  projectId: number,
  { languages, modules }: Pick<ProjectSource, 'languages' | 'modules'>,
): Promise<boolean> {
  const codes = languages.map(({ languageCode }) => languageCode)
  const names = modules.map(({ moduleName }) => moduleName)
  const hasRemoved = await removeFromCatalog(
    tables,
    sql`code <> all(${sql.param(codes)}::text[])`,
    sql`name <> all(${sql.param(names)}::text[])`,
  )
  const savedLanguages = await tables.execute(sql`
    insert into servicekit.languages as old
      (project_id, code, item_id, name, is_default, position, is_draft)
    select ${projectId}::int, u.*, false from unnest(
      ${sql.param(codes)}::text[],
      ${sql.param(languages.map(({ itemId }) => itemId))}::text[],
      ${sql.param(languages.map(({ languageName }) => languageName))}::text[],
      ${sql.param(languages.map(({ isDefault }) => isDefault))}::boolean[]
    ) with ordinality u
    on conflict (project_id, code) do update set item_id = excluded.item_id,
      name = excluded.name, is_default = excluded.is_default, position = excluded.position,
      is_draft = false
    where (old.item_id, old.name, old.is_default, old.position, old.is_draft) is distinct from
      (excluded.item_id, excluded.name, excluded.is_default, excluded.position, false)`)
  const savedModules = await tables.execute(sql`
    insert into servicekit.modules as old (project_id, name, item_id, position, is_draft)
    select ${projectId}::int, u.*, false from unnest(
      ${sql.param(names)}::text[],
      ${sql.param(modules.map(({ itemId }) => itemId))}::text[]
    ) with ordinality u
    on conflict (project_id, name) do update set item_id = excluded.item_id,
      position = excluded.position, is_draft = false
    where (old.item_id, old.position, old.is_draft) is distinct from
      (excluded.item_id, excluded.position, false)`)
  return hasRemoved || savedLanguages.rowCount! + savedModules.rowCount! > 0
}

/** Reads the ids of the languages and modules of the scope's project, in their order. */
export async function readCatalogIds(tables: Tables): Promise<CatalogIds> {
  const languages = await tables.select().from(languageTable).orderBy(languageTable.position)
  const modules = await tables.select().from(moduleTable).orderBy(moduleTable.position)
  return {
    languages: new Map(languages.map(({ id, code }) => [code, id])),
    modules: new Map(modules.map(({ id, name }) => [name, id])),
  }
}

/**
 * Removes the languages and modules that match a condition, with their translations.
 *
 * @returns true if there were any.
 */
export async function removeFromCatalog(
  tables: Tables,
  isRemovedLanguage: SQL,
  isRemovedModule: SQL,
): Promise<boolean> {
  const ids = async (statement: SQL) =>
    (await tables.execute<{ id: number }>(statement)).rows.map(({ id }) => id)
  const languages = await ids(sql`
    delete from servicekit.languages where ${isRemovedLanguage} returning id`)
  const modules = await ids(sql`
    delete from servicekit.modules where ${isRemovedModule} returning id`)
  if (languages.length + modules.length === 0) return false
  for (const table of [sql`texts`, sql`drafts`]) {
    await tables.execute(sql`
      delete from servicekit.${table} where language_id = any(${sql.param(languages)}::int[])
        or module_id = any(${sql.param(modules)}::int[])`)
  }
  await tables.execute(sql`
    delete from servicekit.keys where module_id = any(${sql.param(modules)}::int[])`)
  return true
}
