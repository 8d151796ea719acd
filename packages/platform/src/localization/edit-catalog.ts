import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { stringProblem } from '../projects/storable.ts'
import { bumpTranslations, lockProject } from '../projects/versions.ts'
import { removeFromCatalog } from './save-catalog.ts'

/** Language to add. It is not served until it is published. */
export interface NewLanguage {
  readonly languageCode: string
  readonly languageName?: string | undefined
  readonly isDefault?: boolean | undefined
}

type Outcome<T> = T | { readonly fault: string }

/** Maximum length of a language code and of a module name. */
const maxLength = 100

/** Adds a language as a draft. */
export function addLanguage(
  database: Database,
  project: Project,
  itemId: string,
  { languageCode: code, languageName, isDefault = false }: NewLanguage,
): Promise<Outcome<{ readonly itemId: string }>> {
  return edit(database, project, async (tables) => {
    const fault = nameFault(code) ?? stringProblem(languageName ?? '')
    if (fault) return { fault: `The language code ${fault}.` }
    const { rowCount } = await tables.execute(sql`
      insert into servicekit.languages
        (project_id, item_id, name, code, is_default, position, is_draft)
      select ${project.id}::int, ${itemId}, ${languageName || nameOf(code)}, ${code}, false,
        coalesce(max(position), 0) + 1, true from servicekit.languages
      on conflict (project_id, code) do nothing`)
    if (rowCount !== 1) return { fault: `The project already has a language ${code}.` }
    if (isDefault) await makeDefault(tables, project.id, code)
    return { itemId }
  })
}

/** Renames a language, or makes it the default. */
export function changeLanguage(
  database: Database,
  project: Project,
  code: string,
  { languageName, isDefault }: Omit<NewLanguage, 'languageCode'>,
): Promise<Outcome<{ readonly languageCode: string }>> {
  return edit(database, project, async (tables) => {
    const { rowCount } = await tables.execute(sql`
      update servicekit.languages set name = coalesce(${languageName ?? null}, name)
      where code = ${code}`)
    if (rowCount !== 1) return { fault: `The project has no language ${code}.` }
    if (isDefault) await makeDefault(tables, project.id, code)
    await bumpTranslations(tables, project.id)
    return { languageCode: code }
  })
}

/** Removes a language and its translations immediately. */
export function removeLanguage(
  database: Database,
  project: Project,
  code: string,
): Promise<Outcome<{ readonly removed: string }>> {
  return edit(database, project, async (tables) => {
    const isRemoved = await removeFromCatalog(tables, sql`code = ${code}`, sql`false`)
    if (!isRemoved) return { fault: `The project has no language ${code}.` }
    await bumpTranslations(tables, project.id)
    return { removed: code }
  })
}

/** Adds a module as a draft. */
export function addModule(
  database: Database,
  project: Project,
  itemId: string,
  moduleName: string,
): Promise<Outcome<{ readonly itemId: string }>> {
  return edit(database, project, async (tables) => {
    const fault = nameFault(moduleName)
    if (fault) return { fault: `The name of a module ${fault}.` }
    const { rowCount } = await tables.execute(sql`
      insert into servicekit.modules (project_id, item_id, name, position, is_draft)
      select ${project.id}::int, ${itemId}, ${moduleName}, coalesce(max(position), 0) + 1, true
      from servicekit.modules
      on conflict (project_id, name) do nothing`)
    return rowCount === 1
      ? { itemId }
      : { fault: `The project already has a module ${moduleName}.` }
  })
}

/** Removes a module with its keys and translations immediately. */
export function removeModule(
  database: Database,
  project: Project,
  name: string,
): Promise<Outcome<{ readonly removed: string }>> {
  return edit(database, project, async (tables) => {
    const isRemoved = await removeFromCatalog(tables, sql`false`, sql`name = ${name}`)
    if (!isRemoved) return { fault: `The project has no module ${name}.` }
    await bumpTranslations(tables, project.id)
    return { removed: name }
  })
}

const edit = <T>(
  database: Database,
  project: Project,
  work: (tables: Tables) => Promise<Outcome<T>>,
): Promise<Outcome<T>> =>
  database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    return work(tables)
  })

/** Makes one language the default, which is the fallback for missing translations. */
async function makeDefault(tables: Tables, projectId: number, code: string): Promise<void> {
  await tables.execute(sql`update servicekit.languages set is_default = (code = ${code})`)
  await tables.execute(sql`
    update servicekit.projects set fallback = ${code} where id = ${projectId}::int`)
}

/** Returns the English name of a language code, if it has one. */
function nameOf(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}

function nameFault(name: string): string | undefined {
  if (name.trim() === '') return 'cannot be empty'
  if (name.length > maxLength) return `cannot be longer than ${maxLength}`
  return stringProblem(name)
}
