import { sql } from 'drizzle-orm'
import { removeOtherRecords, saveRecords } from '../data/save-records.ts'
import { saveSchemas } from '../data/save-schemas.ts'
import type { Database, Tables } from '../database/database.ts'
import { projects, sources } from '../database/tables.ts'
import { namesOf } from '../localization/edit-texts.ts'
import { saveCatalog } from '../localization/save-catalog.ts'
import { saveTexts } from '../localization/save-texts.ts'
import type { Problem } from './problem.ts'
import type { ProjectSource } from './project-source.ts'
import { readData } from './read-data.ts'
import { bumpSchemas, bumpTexts, lockProject } from './versions.ts'

/** How a project is saved. */
export interface SaveOptions {
  /**
   * Skips the files that are as they were when they were last loaded, so that
   * edits made since then stay. Otherwise the project becomes equal to the source.
   */
  readonly onlyChanged?: boolean
}

/** What saving a project did. */
export interface SavedProject {
  readonly id: number
  readonly key: string
  /** Modules of which a text in any language changed. */
  readonly changedModules: readonly string[]
  readonly problems: readonly Problem[]
}

/**
 * Saves a project whole, in one transaction. What is the same is not written.
 *
 * @throws PlatformError `PROJECT_INVALID` for a record that cannot be stored;
 * nothing is changed then.
 */
export async function saveProject(
  database: Database,
  source: ProjectSource,
  options: SaveOptions = {},
): Promise<SavedProject> {
  const data = readData(source)
  const id = await saveHead(database, source)
  const changedModules = await database.scoped(id, async (tables) => {
    await lockProject(tables, id)
    const known = options.onlyChanged ? await readHashes(tables) : new Map<string, string>()
    const loaded = new Map<string, string>()
    const isFresh = (path: string, hash: string): boolean => {
      if (known.get(path) === hash) return false
      loaded.set(path, hash)
      return true
    }

    const catalog = await saveCatalog(tables, id, source.languages, source.modules)
    const files = source.files
      .filter(({ language, module, hash }) => isFresh(`uilm/${language}/${module}`, hash))
      .map(({ language, module, texts }) => ({
        languageId: catalog.languages.get(language)!,
        moduleId: catalog.modules.get(module)!,
        texts,
      }))
    const changed = await saveTexts(tables, id, files, true)
    if (catalog.hasChanged || changed.length > 0) await bumpTexts(tables, id, changed)

    if (await saveSchemas(tables, id, source.schemas)) await bumpSchemas(tables, id)
    const fresh = data.records.filter(({ schemaName, hash }) =>
      isFresh(`records/${schemaName}`, hash),
    )
    const records = fresh.flatMap((one) => one.records)
    if (options.onlyChanged) {
      const names = source.schemas.map(({ schemaName }) => schemaName)
      await removeOtherRecords(tables, names)
    }
    await saveRecords(tables, id, records, !options.onlyChanged)
    await saveHashes(tables, id, loaded)
    return namesOf(changed, catalog)
  })
  return { id, key: source.key, changedModules, problems: data.problems }
}

async function saveHead(database: Database, source: ProjectSource): Promise<number> {
  const head = {
    name: source.name,
    organizationId: source.organizationId,
    fallback: source.fallback,
    dialect: source.dialect,
  }
  const [row] = await database.directory
    .insert(projects)
    .values({ key: source.key, ...head })
    .onConflictDoUpdate({ target: projects.key, set: head })
    .returning({ id: projects.id })
  return row!.id
}

async function readHashes(tables: Tables): Promise<ReadonlyMap<string, string>> {
  const rows = await tables.select().from(sources)
  return new Map(rows.map(({ path, hash }) => [path, hash]))
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
