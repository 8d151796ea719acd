import { sql } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { removeOtherRecords, saveRecords } from '../data/save-records.ts'
import { readSchemas, saveSchemas } from '../data/schemas.ts'
import type { Database, Tables } from '../database/database.ts'
import { projects, sources } from '../database/tables.ts'
import { moduleNames, type OnChanged } from '../localization/edit-translations.ts'
import { readCatalogIds, saveCatalog } from '../localization/save-catalog.ts'
import { saveTranslations } from '../localization/save-translations.ts'
import type { Problem, ProjectSource } from './project-source.ts'
import type { PreparedProject } from './prepare-project.ts'
import { bumpSchemas, bumpTranslations } from './versions.ts'

/** Options for saving a project. */
export interface SaveOptions {
  /**
   * Skips files that did not change since they were last loaded, so that edits made since
   * then stay. Otherwise the project becomes equal to the source.
   */
  readonly onlyChanged?: boolean
  /** Called within the transaction when translations of an existing project changed. */
  readonly onChanged?: (id: number) => OnChanged
}

/** Result of saving a project. */
export interface SavedProject {
  readonly id: number
  readonly key: string
  readonly isNew: boolean
  /** Modules in which a translation in any language changed. */
  readonly changedModules: readonly string[]
  readonly problems: readonly Problem[]
}

/** Saves a project in one transaction. Unchanged data is not written. */
export function saveProject(
  database: Database,
  project: PreparedProject,
  options: SaveOptions = {},
): Promise<SavedProject> {
  const { source, data } = project
  const origins = source.origins ?? (options.onlyChanged ? undefined : [])
  const identify = (tables: Tables) => saveHead(tables, source, origins)
  return database.scopedTo(identify, async (tables, { id, isNew }) => {
    const keepsOthers = options.onlyChanged === true && !isNew
    const files = await readSources(tables, keepsOthers)
    const changedModules = await saveLocalization(tables, id, source, files)
    await saveData(tables, id, project, keepsOthers, files)
    await saveHashes(tables, id, files.changed)
    if (changedModules.length > 0 && !isNew) await options.onChanged?.(id)(tables, changedModules)
    return { id, key: source.key, isNew, changedModules, problems: data.problems }
  })
}

/** Files of a project, compared with those that were last loaded. */
interface Sources {
  readonly hasChanged: (path: string, hash: string) => boolean
  /** Hashes of the files that changed. */
  readonly changed: ReadonlyMap<string, string>
}

async function readSources(tables: Tables, keepsOthers: boolean): Promise<Sources> {
  const old = keepsOthers ? await tables.select().from(sources) : []
  const known = new Map(old.map(({ path, hash }) => [path, hash]))
  const changed = new Map<string, string>()
  const hasChanged = (path: string, hash: string): boolean => {
    if (known.get(path) === hash) return false
    changed.set(path, hash)
    return true
  }
  return { hasChanged, changed }
}

async function saveLocalization(
  tables: Tables,
  id: number,
  source: ProjectSource,
  { hasChanged }: Sources,
): Promise<readonly string[]> {
  const { languages, modules } = source
  const hash = createHash('sha256')
    .update(JSON.stringify([languages, modules]))
    .digest('hex')
  const hasNewCatalog = hasChanged('catalog', hash) && (await saveCatalog(tables, id, source))
  const ids = await readCatalogIds(tables)
  const files = source.files.flatMap((file) => {
    const languageId = ids.languages.get(file.language)
    const moduleId = ids.modules.get(file.module)
    if (languageId === undefined || moduleId === undefined) return []
    if (!hasChanged(`uilm/${file.language}/${file.module}`, file.hash)) return []
    return [{ languageId, moduleId, texts: file.texts }]
  })
  const rows = files.flatMap(({ languageId, moduleId, texts }) =>
    Array.from(texts, ([key, value]) => ({ languageId, moduleId, key, value })),
  )
  const changed = await saveTranslations(tables, id, rows, files)
  if (hasNewCatalog || changed.size > 0) await bumpTranslations(tables, id)
  return moduleNames(changed, ids)
}

async function saveData(
  tables: Tables,
  id: number,
  { source, data }: PreparedProject,
  keepsOthers: boolean,
  { hasChanged }: Sources,
): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(source.schemas)).digest('hex')
  const haveSchemasChanged = hasChanged('schemas', hash)
  if (haveSchemasChanged) {
    const stored = await readSchemas(tables)
    if (await saveSchemas(tables, id, source.schemas, stored)) await bumpSchemas(tables, id)
  }
  if (keepsOthers && haveSchemasChanged) {
    const names = source.schemas.map(({ schemaName }) => schemaName)
    await removeOtherRecords(tables, names)
  }
  const records = data.records
    .filter(({ schemaName, hash }) => hasChanged(`records/${schemaName}`, hash))
    .flatMap((one) => one.records)
  await saveRecords(tables, id, records, !keepsOthers)
}

/** Writes the project's row, which locks the project against concurrent changes. */
async function saveHead(
  tables: Tables,
  source: ProjectSource,
  origins: readonly string[] | undefined,
) {
  const head = {
    name: source.name,
    organizationId: source.organizationId,
    fallback: source.fallback,
    dialect: source.dialect,
    ...(origins && { origins: [...origins] }),
  }
  const [row] = await tables
    .insert(projects)
    .values({ key: source.key, ...head })
    .onConflictDoUpdate({ target: projects.key, set: head })
    .returning({ id: projects.id, isNew: sql<boolean>`xmax = 0` })
  return row!
}

async function saveHashes(tables: Tables, projectId: number, hashes: ReadonlyMap<string, string>) {
  if (hashes.size === 0) return
  await tables.execute(sql`
    insert into servicekit.sources (project_id, path, hash)
    select ${projectId}::int, u.* from unnest(
      ${sql.param([...hashes.keys()])}::text[], ${sql.param([...hashes.values()])}::text[]
    ) as u
    on conflict (project_id, path) do update set hash = excluded.hash`)
}
