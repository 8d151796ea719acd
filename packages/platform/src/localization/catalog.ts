import { upperFirst } from '@servicekit/core'
import type { translations as contract } from '@servicekit/contract/control'
import { eq, type SQL, sql } from 'drizzle-orm'
import { Invalid } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import { languages as languageTable, modules as moduleTable, projects } from '../database/tables.ts'
import type { Project } from '../database/project-directory.ts'
import type { ProjectSource } from '../project-source.ts'
import { bumpVersion } from '../database/versions.ts'
import { newLanguageProblem, newModuleProblem } from './catalog-names.ts'
import { formSuffix, isUnusedForm } from './plural-forms.ts'

/**
 * Returns the languages of the scope's project in order, including drafts, which are served
 * only after publishing. `written` is the number of non-empty translations that are served.
 */
export async function readLanguages(tables: Tables) {
  const { rows } = await tables.execute<contract.LanguageRecord>(sql`
    select l.item_id as "itemId", l.code as "languageCode", l.name as "languageName",
      l.is_default as "isDefault", l.is_draft as "isDraft",
      coalesce(t.written, 0) as written, (select count(*)::int from servicekit.keys) as keys
    from servicekit.languages l left join (
      select language_id, count(*)::int as written from servicekit.texts
      where is_written group by language_id
    ) t on t.language_id = l.id
    order by l.position`)
  return rows
}

/**
 * Returns the modules of the scope's project in order, including drafts. By language code,
 * `written` is the number of translations, and `unusedForms` that of plural forms without a
 * translation which the language does not use.
 */
export async function readModules(tables: Tables) {
  const { languages } = await readCatalog(tables)
  const codes = languages.map(({ code }) => code)
  const translations = sql`select from servicekit.texts t where t.module_id = m.id
    and t.language_id = l.id and t.is_written`
  const { rows } = await tables.execute<contract.ModuleRecord>(sql`
    with forms as materialized (
      select id, module_id, key from servicekit.keys where key ~ ${formSuffix}
    )
    select m.item_id as "itemId", m.name as "moduleName", m.is_draft as "isDraft",
      (select count(*)::int from servicekit.keys k where k.module_id = m.id) as keys,
      (select coalesce(json_object_agg(l.code, c.written), '{}') from servicekit.languages l join (
        select t.language_id, count(*)::int as written from servicekit.texts t
        where t.module_id = m.id and t.is_written group by t.language_id
      ) c on c.language_id = l.id) as written,
      (select coalesce(json_object_agg(code, total), '{}') from (
        select l.code, count(*)::int as total from forms k, servicekit.languages l
        where k.module_id = m.id and not exists (${translations} and t.key_id = k.id)
          and ${isUnusedForm({ name: sql`k.key`, moduleId: sql`k.module_id` }, sql`l.code`, codes)}
        group by l.code) u) as "unusedForms"
    from servicekit.modules m order by m.position`)
  return rows
}

/** Reads the languages and modules of the scope's project in order, including drafts. */
export async function readCatalog(tables: Tables) {
  const languages = await tables.select().from(languageTable).orderBy(languageTable.position)
  const modules = await tables.select().from(moduleTable).orderBy(moduleTable.position)
  return { languages, modules }
}

export type CatalogIds = Awaited<ReturnType<typeof readCatalogIds>>

/** Reads the ids of the languages and modules of the scope's project, in their order. */
export async function readCatalogIds(tables: Tables) {
  const { languages, modules } = await readCatalog(tables)
  return {
    languages: new Map(languages.map(({ id, code }) => [code, id])),
    modules: new Map(modules.map(({ id, name }) => [name, id])),
  }
}

/** Adds a language as a draft. @throws Invalid */
export async function addLanguage(
  tables: Tables,
  { id }: Project,
  itemId: string,
  { languageCode: code, languageName, isDefault = false }: contract.NewLanguage,
): Promise<{ readonly itemId: string }> {
  const { languages } = await readCatalog(tables)
  const codes = languages.map((one) => one.code)
  rejectProblem(newLanguageProblem(code, codes))
  const { rowCount } = await tables.execute(sql`
    insert into servicekit.languages
      (project_id, item_id, name, code, is_default, position, is_draft)
    select ${id}::int, ${itemId}, ${languageName || nameOf(code)}, ${code}, false,
      coalesce(max(position), 0) + 1, true from servicekit.languages
    on conflict (project_id, code) do nothing`)
  if (rowCount !== 1) throw new Invalid(`The project already has a language ${code}.`)
  if (isDefault) await setDefault(tables, id, code)
  return { itemId }
}

/** Modules that a change of the catalog concerns; undefined if nothing changes that is served. */
type ChangedModules = Promise<readonly string[] | undefined>

const servedModuleNames = ({ modules }: Awaited<ReturnType<typeof readCatalog>>) =>
  modules.filter(({ isDraft }) => !isDraft).map(({ name }) => name)

/** Renames a language, or makes it the default. @throws Invalid */
export async function changeLanguage(
  tables: Tables,
  { id }: Project,
  code: string,
  { languageName, isDefault }: Omit<contract.NewLanguage, 'languageCode'>,
): ChangedModules {
  const catalog = await readCatalog(tables)
  const language = catalog.languages.find((one) => one.code === code)
  if (!language) throw new Invalid(`The project has no language ${code}.`)
  if (languageName !== undefined) {
    await tables
      .update(languageTable)
      .set({ name: languageName })
      .where(eq(languageTable.code, code))
  }
  if (isDefault) await setDefault(tables, id, code)
  await bumpVersion(tables, id, 'textsVersion')
  return language.isDraft && !isDefault ? undefined : servedModuleNames(catalog)
}

/** Adds a module as a draft. @throws Invalid */
export async function addModule(tables: Tables, { id }: Project, itemId: string, name: string) {
  const { modules } = await readCatalog(tables)
  const names = modules.map((one) => one.name)
  rejectProblem(newModuleProblem(name, names))
  const { rowCount } = await tables.execute(sql`
    insert into servicekit.modules (project_id, item_id, name, position, is_draft)
    select ${id}::int, ${itemId}, ${name}, coalesce(max(position), 0) + 1, true
    from servicekit.modules
    on conflict (project_id, name) do nothing`)
  if (rowCount !== 1) throw new Invalid(`The project already has a module ${name}.`)
  return { itemId }
}

/** Renames a module. Its keys keep their drafts and their history. @throws Invalid */
export async function renameModule(
  tables: Tables,
  { id }: Project,
  before: string,
  name: string,
): ChangedModules {
  const { modules } = await readCatalog(tables)
  const module = modules.find((one) => one.name === before)
  if (!module) throw new Invalid(`The project has no module ${before}.`)
  const others = modules.filter((one) => one !== module).map((one) => one.name)
  if (others.includes(name)) throw new Invalid(`The project already has a module ${name}.`)
  rejectProblem(newModuleProblem(name, others))
  await tables.update(moduleTable).set({ name }).where(eq(moduleTable.name, before))
  await tables.execute(sql`
    update servicekit.text_history set module = ${name} where module = ${before}`)
  await bumpVersion(tables, id, 'textsVersion')
  return module.isDraft ? undefined : [name]
}

/**
 * Removes a language or a module with its translations immediately.
 *
 * @throws Invalid if there is none.
 */
export async function removeByName(
  tables: Tables,
  { id }: Project,
  kind: 'language' | 'module',
  name: string,
): ChangedModules {
  const before = await readCatalog(tables)
  const isRemoved = await removeFromCatalog(
    tables,
    kind === 'language' ? sql`code = ${name}` : sql`false`,
    kind === 'module' ? sql`name = ${name}` : sql`false`,
  )
  if (!isRemoved) throw new Invalid(`The project has no ${kind} ${name}.`)
  // The fallback is always a language of the project.
  await tables.execute(sql`
    update servicekit.projects set fallback = coalesce((
      select code from servicekit.languages order by is_default desc, position limit 1), '')
    where id = ${id}::int and not exists (select from servicekit.languages where code = fallback)`)
  await bumpVersion(tables, id, 'textsVersion')
  const { isDraft } =
    kind === 'language'
      ? before.languages.find(({ code }) => code === name)!
      : before.modules.find((one) => one.name === name)!
  if (isDraft) return undefined
  return kind === 'module' ? [name] : servedModuleNames(before)
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
  const withPosition = <T extends object>(list: readonly T[]) =>
    list.map((one, index) => ({ ...one, position: index + 1 }))
  const savedLanguages = await tables.execute(sql`
    insert into servicekit.languages as old
      (project_id, code, item_id, name, is_default, position, is_draft)
    select ${projectId}::int, u.*, false from ${recordset(
      withPosition(languages),
      '"languageCode" text, "itemId" text, "languageName" text, "isDefault" boolean, position int',
    )}
    on conflict (project_id, code) do update set item_id = excluded.item_id,
      name = excluded.name, is_default = excluded.is_default, position = excluded.position,
      is_draft = false
    where (old.item_id, old.name, old.is_default, old.position, old.is_draft) is distinct from
      (excluded.item_id, excluded.name, excluded.is_default, excluded.position, false)`)
  const savedModules = await tables.execute(sql`
    insert into servicekit.modules as old (project_id, name, item_id, position, is_draft)
    select ${projectId}::int, u.*, false from ${recordset(
      withPosition(modules),
      '"moduleName" text, "itemId" text, position int',
    )}
    on conflict (project_id, name) do update set item_id = excluded.item_id,
      position = excluded.position, is_draft = false
    where (old.item_id, old.position, old.is_draft) is distinct from
      (excluded.item_id, excluded.position, false)`)
  return hasRemoved || savedLanguages.rowCount! + savedModules.rowCount! > 0
}

/**
 * Removes the languages and modules that match a condition, with their translations.
 *
 * @returns true if there were any.
 */
async function removeFromCatalog(
  tables: Tables,
  isRemovedLanguage: SQL,
  isRemovedModule: SQL,
): Promise<boolean> {
  const { rows: removed } = await tables.execute<{ languages: number[]; modules: number[] }>(sql`
    with l as (delete from servicekit.languages where ${isRemovedLanguage} returning id),
      m as (delete from servicekit.modules where ${isRemovedModule} returning id)
    select array(select id from l) as languages, array(select id from m) as modules`)
  const { languages, modules } = removed[0]!
  if (languages.length + modules.length === 0) return false
  const ofTranslations = ['texts', 'drafts', 'source_changes', 'comments', 'assignments']
  for (const table of ofTranslations.map((name) => sql.raw(name))) {
    await tables.execute(sql`
      delete from servicekit.${table} where language_id = any(${sql.param(languages)}::int[])
        or module_id = any(${sql.param(modules)}::int[])`)
  }
  await tables.execute(sql`
    delete from servicekit.keys where module_id = any(${sql.param(modules)}::int[])`)
  return true
}

/**
 * Publishes languages and modules that are drafts: all, or those of drafted translations.
 *
 * @returns true if there were any.
 */
export async function publishCatalog(tables: Tables, drafts: SQL | undefined): Promise<boolean> {
  let isChanged = false
  for (const [table, column] of [
    [sql`languages`, sql`language_id`],
    [sql`modules`, sql`module_id`],
  ]) {
    const isPublished = drafts ? sql`id in (select d.${column} from ${drafts} d)` : sql`true`
    const { rowCount } = await tables.execute(sql`
      update servicekit.${table} set is_draft = false where is_draft and ${isPublished}`)
    isChanged ||= rowCount! > 0
  }
  return isChanged
}

/** Makes one language the default, which is the fallback for missing translations. */
async function setDefault(tables: Tables, projectId: number, code: string): Promise<void> {
  await tables.update(languageTable).set({ isDefault: sql`code = ${code}` })
  await tables.update(projects).set({ fallback: code }).where(eq(projects.id, projectId))
}

/** Returns the English name of a language code, if it has one. */
function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

/** @throws Invalid */
function rejectProblem(problem: string | undefined): void {
  if (problem) throw new Invalid(`${upperFirst(problem)}.`)
}
