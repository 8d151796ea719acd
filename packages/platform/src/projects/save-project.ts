import { sql } from 'drizzle-orm'
import { createHash } from 'node:crypto'
import { removeOtherRecords, saveRecords } from '../data/save-records.ts'
import { readSchemas, saveSchemas } from '../data/schemas.ts'
import type { Database, Tables } from '../database/database.ts'
import { projects, sources } from '../database/tables.ts'
import { namesOf, type OnChanged } from '../localization/edit-texts.ts'
import { readCatalogIds, saveCatalog } from '../localization/save-catalog.ts'
import { saveTexts } from '../localization/save-texts.ts'
import type { Problem } from './project-source.ts'
import type { ProjectSource } from './project-source.ts'
import type { PreparedProject } from './prepare-project.ts'
import { bumpSchemas, bumpTexts } from './versions.ts'

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
  return database.entered(identify, async (tables, { id, isNew }) => {
    const hasOld = options.onlyChanged === true && !isNew
    const files = await readSources(tables, hasOld)
    const changedModules = await saveLocalization(tables, id, source, isNew, files)
    await saveData(tables, id, project, hasOld, files)
    await saveHashes(tables, id, files.loaded)
    if (changedModules.length > 0 && !isNew) await options.onChanged?.(id)(tables, changedModules)
    return { id, key: source.key, isNew, changedModules, problems: data.problems }
  })
}

/** Decides which of a project's files to save. */
interface Sources {
  readonly isFresh: (path: string, hash: string) => boolean
  /** Hashes of the files that changed. */
  readonly loaded: ReadonlyMap<string, string>
}

async function readSources(tables: Tables, hasOld: boolean): Promise<Sources> {
  const old = hasOld ? await tables.select().from(sources) : []
  const known = new Map(old.map(({ path, hash }) => [path, hash]))
  const loaded = new Map<string, string>()
  const isFresh = (path: string, hash: string): boolean => {
    if (known.get(path) === hash) return false
    loaded.set(path, hash)
    return true
  }
  return { isFresh, loaded }
}

async function saveLocalization(
  tables: Tables,
  id: number,
  source: ProjectSource,
  isNew: boolean,
  { isFresh }: Sources,
): Promise<readonly string[]> {
  const { languages, modules } = source
  const hash = createHash('sha256')
    .update(JSON.stringify([languages, modules]))
    .digest('hex')
  const catalog = isFresh('catalog', hash)
    ? await saveCatalog(tables, id, source, isNew)
    : { ...(await readCatalogIds(tables)), hasChanged: false }
  const files = source.files
    .filter(
      ({ language, module }) => catalog.languages.has(language) && catalog.modules.has(module),
    )
    .filter((file) => isFresh(`uilm/${file.language}/${file.module}`, file.hash))
    .map(({ language, module, texts }) => ({
      languageId: catalog.languages.get(language)!,
      moduleId: catalog.modules.get(module)!,
      texts,
    }))
  const changed = await saveTexts(tables, id, files, { isWhole: true, isNew })
  if (catalog.hasChanged || changed.length > 0) await bumpTexts(tables, id, changed)
  return namesOf(changed, catalog)
}

async function saveData(
  tables: Tables,
  id: number,
  { source, data }: PreparedProject,
  hasOld: boolean,
  { isFresh }: Sources,
): Promise<void> {
  const hash = createHash('sha256').update(JSON.stringify(source.schemas)).digest('hex')
  const areFresh = isFresh('schemas', hash)
  if (areFresh) {
    const stored = await readSchemas(tables)
    if (await saveSchemas(tables, id, source.schemas, stored)) await bumpSchemas(tables, id)
  }
  if (hasOld && areFresh) {
    const names = source.schemas.map(({ schemaName }) => schemaName)
    await removeOtherRecords(tables, names)
  }
  const records = data.records
    .filter(({ schemaName, hash }) => isFresh(`records/${schemaName}`, hash))
    .flatMap((one) => one.records)
  await saveRecords(tables, id, records, !hasOld)
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
