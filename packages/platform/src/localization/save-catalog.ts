import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { LanguageSource, ModuleSource } from '../projects/project-source.ts'

/** Numbers of a project's languages and modules by code and name. */
export interface CatalogIds {
  readonly languages: ReadonlyMap<string, number>
  readonly modules: ReadonlyMap<string, number>
}

/** Outcome of {@link saveCatalog}. */
export interface SavedCatalog extends CatalogIds {
  readonly hasChanged: boolean
}

/**
 * Makes the project's languages and modules those that are given, in their
 * order. What is no longer among them goes, with its texts.
 */
export async function saveCatalog(
  tables: Tables,
  projectId: number,
  languages: readonly LanguageSource[],
  modules: readonly ModuleSource[],
): Promise<SavedCatalog> {
  const codes = languages.map(({ languageCode }) => languageCode)
  const names = modules.map(({ moduleName }) => moduleName)
  const goneLanguages = await tables.execute(sql`
    delete from servicekit.languages where not code = any(${sql.param(codes)}::text[]) returning id`)
  const goneModules = await tables.execute(sql`
    delete from servicekit.modules where not name = any(${sql.param(names)}::text[]) returning id`)
  await removeFiles(tables, idsOf(goneLanguages.rows), idsOf(goneModules.rows))

  const savedLanguages = await tables.execute(sql`
    insert into servicekit.languages as old (project_id, item_id, code, name, is_default, position)
    select ${projectId}::int, u.* from unnest(
      ${sql.param(languages.map(({ itemId }) => itemId))}::text[],
      ${sql.param(codes)}::text[],
      ${sql.param(languages.map(({ languageName }) => languageName))}::text[],
      ${sql.param(languages.map(({ isDefault }) => isDefault))}::bool[]
    ) with ordinality as u
    on conflict (project_id, code) do update set item_id = excluded.item_id,
      name = excluded.name, is_default = excluded.is_default, position = excluded.position
    where (old.item_id, old.name, old.is_default, old.position) is distinct from
      (excluded.item_id, excluded.name, excluded.is_default, excluded.position)
    returning id`)
  const savedModules = await tables.execute(sql`
    insert into servicekit.modules as old (project_id, item_id, name, position)
    select ${projectId}::int, u.* from unnest(
      ${sql.param(modules.map(({ itemId }) => itemId))}::text[],
      ${sql.param(names)}::text[]
    ) with ordinality as u
    on conflict (project_id, name) do update set item_id = excluded.item_id,
      position = excluded.position
    where (old.item_id, old.position) is distinct from (excluded.item_id, excluded.position)
    returning id`)
  const changes = [goneLanguages, goneModules, savedLanguages, savedModules]
  return {
    hasChanged: changes.some(({ rows }) => rows.length > 0),
    ...(await readCatalogIds(tables)),
  }
}

/** Reads the numbers of the languages and modules of the scope's project. */
export async function readCatalogIds(tables: Tables): Promise<CatalogIds> {
  const languages = await tables.execute<{ id: number; name: string }>(
    sql`select id, code as name from servicekit.languages`,
  )
  const modules = await tables.execute<{ id: number; name: string }>(
    sql`select id, name from servicekit.modules`,
  )
  return { languages: byName(languages.rows), modules: byName(modules.rows) }
}

const byName = (rows: readonly { id: number; name: string }[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ id, name }) => [name, id]))

const idsOf = (rows: readonly Record<string, unknown>[]): number[] =>
  rows.map((row) => row['id'] as number)

async function removeFiles(tables: Tables, languageIds: number[], moduleIds: number[]) {
  if (languageIds.length + moduleIds.length === 0) return
  for (const table of [sql`texts`, sql`files`]) {
    await tables.execute(sql`
      delete from servicekit.${table} where language_id = any(${sql.param(languageIds)}::int[])
        or module_id = any(${sql.param(moduleIds)}::int[])`)
  }
}
