import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { textFault } from '../projects/text.ts'
import { bumpTexts, lockProject } from '../projects/versions.ts'
import { type CatalogIds, readCatalogIds } from './save-catalog.ts'
import { type ChangedFile, type FileTexts, saveTexts } from './save-texts.ts'

/** Translation to set. Null is stored and served as null. */
export interface TextEdit {
  readonly language: string
  readonly module: string
  readonly key: string
  readonly value: string | null
}

/** Result of an edit: the modules it changed, or the reason why it changed nothing. */
export type Edited = { readonly changedModules: readonly string[] } | { readonly fault: string }

/** Runs within the transaction of a change and receives the names of the changed modules. */
export type OnChanged = (tables: Tables, changedModules: readonly string[]) => Promise<void>

/** Sets translations, all or none. Missing keys are created. */
export function setTexts(
  database: Database,
  project: Project,
  edits: readonly TextEdit[],
  onChanged: OnChanged,
): Promise<Edited> {
  return database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    const ids = await readCatalogIds(tables)
    const fault = edits.map((edit) => faultOf(edit, ids)).find(Boolean)
    if (fault) return { fault }
    const changed = await saveTexts(tables, project.id, filesOf(edits, ids), {
      isWhole: false,
      isNew: false,
    })
    if (changed.length === 0) return { changedModules: [] }
    await bumpTexts(tables, project.id, changed)
    const changedModules = namesOf(changed, ids)
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
    const ids = await readCatalogIds(tables)
    const moduleId = ids.modules.get(module)
    if (moduleId === undefined) return { fault: `The project has no module ${module}.` }
    const { rows } = await tables.execute<{ language_id: number }>(sql`
      with gone as (
        delete from servicekit.keys where module_id = ${moduleId} and key = ${key} returning id
      )
      delete from servicekit.texts using gone
      where module_id = ${moduleId} and key_id = gone.id returning language_id`)
    const changed = rows.map((row) => ({ languageId: row.language_id, moduleId }))
    if (changed.length === 0) return { fault: `The module ${module} has no key ${key}.` }
    await bumpTexts(tables, project.id, changed)
    await onChanged(tables, [module])
    return { changedModules: [module] }
  })
}

function faultOf({ language, module, key, value }: TextEdit, ids: CatalogIds): string | undefined {
  if (!ids.languages.has(language)) return `The project has no language ${language}.`
  if (!ids.modules.has(module)) return `The project has no module ${module}.`
  if (key === '') return 'A key cannot be empty.'
  const fault = textFault(key) ?? (value === null ? undefined : textFault(value))
  return fault && `The text of ${key} ${fault}.`
}

/** Groups edits by file. The last edit of a translation wins. */
function filesOf(edits: readonly TextEdit[], ids: CatalogIds): FileTexts[] {
  const files = new Map<string, FileTexts & { readonly texts: Map<string, string | null> }>()
  for (const { language, module, key, value } of edits) {
    const languageId = ids.languages.get(language)!
    const moduleId = ids.modules.get(module)!
    const id = `${languageId} ${moduleId}`
    const file = files.get(id) ?? { languageId, moduleId, texts: new Map() }
    file.texts.set(key, value)
    files.set(id, file)
  }
  return [...files.values()]
}

/** Returns the names of the modules that the files belong to. */
export function namesOf(changed: readonly ChangedFile[], { modules }: CatalogIds): string[] {
  const touched = new Set(changed.map(({ moduleId }) => moduleId))
  return [...modules].filter(([, id]) => touched.has(id)).map(([name]) => name)
}
