import { keyLanguage } from '@servicekit/contract'
import { asc, eq, sql } from 'drizzle-orm'
import QuickLRU from 'quick-lru'
import type { Database, Tables } from '../database/database.ts'
import { files, languages, modules } from '../database/tables.ts'
import { etagOf } from '../http/answer.ts'
import type { Project } from '../projects/project-directory.ts'
import { keyFile } from './key-file.ts'

type LanguageRow = typeof languages.$inferSelect
type ModuleRow = typeof modules.$inferSelect

/** Languages and modules of a project, in order, and the versions of their files. */
export interface Catalog {
  readonly languages: readonly LanguageRow[]
  readonly modules: readonly ModuleRow[]
  /** Version by `languageId moduleId`; a file without translations has none. */
  readonly versions: ReadonlyMap<string, number>
}

/** Translation file as it is sent. */
interface ServedFile {
  readonly body: string
  readonly etag: string
}

/** Reads the data of the localization routes, from a cache where nothing changed. */
export interface Localization {
  readonly catalog: (project: Project) => Promise<Catalog>
  /** @returns undefined when the project has no such language or module. */
  readonly file: (
    project: Project,
    languageCode: string,
    moduleName: string,
  ) => Promise<ServedFile | undefined>
}

interface CachedCatalog {
  readonly version: number
  readonly catalog: Promise<Catalog>
}
interface CachedFile {
  readonly version: number
  readonly file: ServedFile
}

/** Maximum number of translation files in the cache. */
const maxCachedFiles = 500

/**
 * Creates the localization of a database. Versions in the project's row and its files
 * decide whether cached data is still valid, so that several processes on one database
 * never serve stale translations.
 */
export function localizationOf(database: Database): Localization {
  const catalogs = new Map<number, CachedCatalog>()
  const cached = new QuickLRU<string, CachedFile>({ maxSize: maxCachedFiles })

  const catalog = (project: Project): Promise<Catalog> => {
    const known = catalogs.get(project.id)
    if (known?.version === project.textsVersion) return known.catalog
    const fresh = database.scoped(project.id, readCatalog, { isReadOnly: true })
    catalogs.set(project.id, { version: project.textsVersion, catalog: fresh })
    fresh.catch(() => catalogs.delete(project.id))
    return fresh
  }

  return {
    catalog,
    file: async (project, languageCode, moduleName) => {
      const { languages, modules, versions } = await catalog(project)
      const language = languages.find(({ code }) => code === languageCode)
      const module = modules.find(({ name }) => name === moduleName)
      if (!language || !module) return undefined
      const isKeys = languageCode === keyLanguage
      const id = `${language.id} ${module.id}`
      // Any edit may add or remove a key, so the key file has the version of the project.
      const version = isKeys ? project.textsVersion : (versions.get(id) ?? 0)
      const known = cached.get(id)
      if (known?.version === version) return known.file
      const body = await database.scoped(
        project.id,
        (tables) =>
          isKeys ? readKeyFile(tables, module.id) : readFile(tables, language.id, module.id),
        { isReadOnly: true },
      )
      const file = { body, etag: etagOf(body) }
      cached.set(id, { version, file })
      return file
    },
  }
}

async function readCatalog(tables: Tables): Promise<Catalog> {
  const versions = await tables.select().from(files)
  return {
    languages: await tables
      .select()
      .from(languages)
      .where(eq(languages.isDraft, false))
      .orderBy(asc(languages.position)),
    modules: await tables
      .select()
      .from(modules)
      .where(eq(modules.isDraft, false))
      .orderBy(asc(modules.position)),
    versions: new Map(versions.map((row) => [`${row.languageId} ${row.moduleId}`, row.version])),
  }
}

async function readFile(tables: Tables, languageId: number, moduleId: number): Promise<string> {
  const { rows } = await tables.execute<{ key: string; value: string | null }>(sql`
    select k.key, t.value from servicekit.texts t join servicekit.keys k on k.id = t.key_id
    where t.module_id = ${moduleId} and t.language_id = ${languageId}
    order by k.key collate "C"`)
  // Serialized by hand: an object would move keys that look like numbers to the front.
  return `{${rows.map(({ key, value }) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`
}

async function readKeyFile(tables: Tables, moduleId: number): Promise<string> {
  const { rows } = await tables.execute<{ key: string }>(sql`
    select key from servicekit.keys where module_id = ${moduleId} order by key collate "C"`)
  return JSON.stringify(keyFile(rows.map(({ key }) => key)))
}
