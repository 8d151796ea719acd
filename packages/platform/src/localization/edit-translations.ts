import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { stringProblem } from '../projects/storable.ts'
import { bumpTranslations, lockProject } from '../projects/versions.ts'
import { type CatalogIds, readCatalogIds } from './save-catalog.ts'
import { saveTranslations } from './save-translations.ts'

/** Translation to set. Null is stored and served as null. */
export interface TranslationEdit {
  readonly language: string
  readonly module: string
  readonly key: string
  readonly value: string | null
}

/** Result of an edit: the modules it changed, or the reason why it changed nothing. */
export type Edited = { readonly changedModules: readonly string[] } | { readonly fault: string }

/** Runs within the transaction of a change and receives the names of the changed modules. */
export type OnChanged = (tables: Tables, changedModules: readonly string[]) => Promise<void>

/** Sets translations, all or none. The last edit of a translation wins. Creates missing keys. */
export function setTranslations(
  database: Database,
  project: Project,
  edits: readonly TranslationEdit[],
  onChanged: OnChanged,
): Promise<Edited> {
  return database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    const ids = await readCatalogIds(tables)
    const fault = edits.map((edit) => editProblem(edit, ids)).find(Boolean)
    if (fault) return { fault }
    const rows = new Map(
      edits.map(({ language, module, key, value }) => {
        const languageId = ids.languages.get(language)!
        const moduleId = ids.modules.get(module)!
        return [JSON.stringify([languageId, moduleId, key]), { languageId, moduleId, key, value }]
      }),
    )
    const changed = await saveTranslations(tables, project.id, [...rows.values()])
    if (changed.size === 0) return { changedModules: [] }
    await bumpTranslations(tables, project.id)
    const changedModules = moduleNames(changed, ids)
    await onChanged(tables, changedModules)
    return { changedModules }
  })
}

/** Removes a key and its translations in every language. */
export function removeKey(
  database: Database,
  project: Project,
  module: string,
  key: string,
  onChanged: OnChanged,
): Promise<Edited> {
  return database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    const moduleId = (await readCatalogIds(tables)).modules.get(module)
    if (moduleId === undefined) return { fault: `The project has no module ${module}.` }
    const { rowCount } = await tables.execute(sql`
      with gone as (
        delete from servicekit.keys where module_id = ${moduleId} and key = ${key} returning id
      )
      delete from servicekit.texts using gone
      where module_id = ${moduleId} and key_id = gone.id`)
    if (!rowCount) return { fault: `The module ${module} has no key ${key}.` }
    await bumpTranslations(tables, project.id)
    await onChanged(tables, [module])
    return { changedModules: [module] }
  })
}

/** Returns why a translation cannot be saved, or undefined when it can. */
export function editProblem(
  { language, module, key, value }: TranslationEdit,
  ids: CatalogIds,
): string | undefined {
  if (!ids.languages.has(language)) return `The project has no language ${language}.`
  return keyProblem(module, key, ids) ?? textProblem(key, value ?? '')
}

/** Returns why a key cannot be edited, or undefined when it can. */
export function keyProblem(module: string, key: string, ids: CatalogIds): string | undefined {
  if (!ids.modules.has(module)) return `The project has no module ${module}.`
  return key === '' ? 'A key cannot be empty.' : textProblem(key, key)
}

function textProblem(key: string, text: string): string | undefined {
  const fault = stringProblem(text)
  return fault && `The translation of ${key} ${fault}.`
}

/** Returns the names of modules in the order of the catalog. */
export const moduleNames = (
  moduleIds: ReadonlySet<number>,
  { modules }: CatalogIds,
): readonly string[] => [...modules].filter(([, id]) => moduleIds.has(id)).map(([name]) => name)
