import { eq, sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import { dataSchemas, projects, sources } from '../database/tables.ts'
import { saveCatalog } from '../localization/save-catalog.ts'
import { type ChangedFile, saveTexts } from '../localization/save-texts.ts'
import { bumpTexts, bumpSchemas } from './versions.ts'
import type { ProjectSource } from './project-source.ts'

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
}

/** Saves a project whole, in one transaction. What is the same is not written. */
export async function saveProject(
  database: Database,
  source: ProjectSource,
  options: SaveOptions = {},
): Promise<SavedProject> {
  const id = await saveHead(database, source)
  const changedModules = await database.scoped(id, async (tables) => {
    // Loads of one project take turns.
    await tables.execute(sql`select from servicekit.projects where id = ${id} for update`)
    const catalog = await saveCatalog(tables, id, source.languages, source.modules)
    const known = await readHashes(tables)
    const fresh = source.files.filter(
      (file) => !options.onlyChanged || known.get(textPath(file)) !== file.hash,
    )
    const changed = await saveTexts(
      tables,
      id,
      fresh.map((file) => ({
        languageId: catalog.languages.get(file.language)!,
        moduleId: catalog.modules.get(file.module)!,
        texts: file.texts,
      })),
      true,
    )
    await saveHashes(tables, id, new Map(fresh.map((file) => [textPath(file), file.hash])))
    if (catalog.hasChanged || changed.length > 0) await bumpTexts(tables, id, changed)
    if (await saveSchemas(tables, id, source)) await bumpSchemas(tables, id)
    return namesOf(changed, catalog.modules)
  })
  return { id, key: source.key, changedModules }
}

const textPath = ({ language, module }: { language: string; module: string }): string =>
  `uilm/${language}/${module}`

function namesOf(changed: readonly ChangedFile[], ids: ReadonlyMap<string, number>) {
  const touched = new Set(changed.map(({ moduleId }) => moduleId))
  return [...ids].filter(([, id]) => touched.has(id)).map(([name]) => name)
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

/** Replaces the schemas if any of them, or their order, is different. */
async function saveSchemas(tables: Tables, projectId: number, source: ProjectSource) {
  const old = await tables.select().from(dataSchemas).orderBy(dataSchemas.position)
  const isSame =
    JSON.stringify(old.map(({ definition }) => definition)) === JSON.stringify(source.schemas)
  if (isSame) return false
  await tables.delete(dataSchemas).where(eq(dataSchemas.projectId, projectId))
  if (source.schemas.length > 0) {
    await tables.insert(dataSchemas).values(
      source.schemas.map((definition, position) => ({
        projectId,
        position,
        name: definition.schemaName,
        definition,
      })),
    )
  }
  return true
}
