import { keyLanguage, localization, type Operation } from '@servicekit/contract'
import { sharedProjectKey, stringProblem } from '@servicekit/core'
import { asc, eq, sql } from 'drizzle-orm'
import type { Tables, Unscoped } from '../database/database.ts'
import { languages, modules } from '../database/tables.ts'
import { RejectedRequest } from '../http/rejected-request.ts'
import { etagOf, ifUnchanged, json, revalidated } from '../http/responses.ts'
import { isAdapted } from '../http/adapt-response.ts'
import { type Call, implement } from '../http/mount.ts'
import type { Project } from '../database/project-directory.ts'
import { keyFile } from './key-file.ts'

type LocalizationCall = Pick<Call, 'services' | 'project' | 'hasHeader' | 'snapshot'>
type FileCall = LocalizationCall & Pick<Call<typeof localization.getFile>, 'query' | 'request'>

const withoutHeader = { isHeaderOptional: true }

/** The operations of section 4.6, in both families. */
export const localizationOperations = [
  implement(localization.listLanguages, listLanguages),
  implement(localization.listModules, listModules),
  implement(localization.getFile, (call) => getFile(call, localization.getFile)),
  implement(localization.uilmListLanguages, listLanguages, withoutHeader),
  implement(localization.uilmListModules, listModules, withoutHeader),
  implement(
    localization.uilmGetFile,
    (call) => getFile(call, localization.uilmGetFile),
    withoutHeader,
  ),
]

/** Returns the project of the header, or the shared project if the header is absent. */
async function servedProject({ services, project, hasHeader }: LocalizationCall): Promise<Project> {
  const served = hasHeader ? project : await services.projects.find(sharedProjectKey)
  if (!served) throw new Error(`The shared project ${sharedProjectKey} is missing.`)
  return served
}

async function readServed<T>(
  call: LocalizationCall,
  read: (tables: Tables) => Promise<T>,
): Promise<T> {
  const { id } = await servedProject(call)
  return call.services.database.scoped(id, read, { isReadOnly: true, mayLag: true })
}

/** Responds with an array of language records (section 2.4). */
async function listLanguages(call: LocalizationCall): Promise<Response> {
  const rows = await readServed(call, servedLanguages)
  return json(
    rows.map(({ itemId, name, code, isDefault }): localization.Language => ({
      itemId,
      languageName: name,
      languageCode: code,
      isDefault,
      projectKey: call.hasHeader ? call.project.key : null,
    })),
  )
}

async function listModules(call: LocalizationCall): Promise<Response> {
  const rows = await readServed(call, servedModules)
  return json(rows.map(({ itemId, name }) => ({ itemId, moduleName: name })))
}

/**
 * Responds with a translation file. If there is no such file, language and module are looked
 * up in the named project as well, so that a valid request gets a 200.
 */
async function getFile(call: FileCall, operation: Operation): Promise<Response> {
  const { services, snapshot, query, request } = call
  const { Language: language, ModuleName: module } = query
  const served = await servedProject(call)
  const isStandard = !isAdapted(operation, call.project.dialect)
  const known = services.fileTags.get(served, language, module)
  const unchanged = isStandard && known !== undefined && ifUnchanged(request, known)
  if (unchanged) return unchanged
  const file =
    (await services.database.lagging((tables) => readFile(tables, served, language, module))) ??
    // A replica may not have received a new file.
    (await readFile(services.database.unscoped, served, language, module))
  if (file) {
    const version = { id: served.id, textsVersion: file.version }
    services.fileTags.set(version, language, module, etagOf(file.body))
    return revalidated(file.body)
  }
  const catalog = await snapshot(async (tables) => ({
    languages: await servedLanguages(tables),
    modules: await servedModules(tables),
  }))
  const errors: Record<string, string[]> = {}
  if (!catalog.languages.some(({ code }) => code === language)) {
    errors['Language'] = [`The language ${language} is not defined.`]
  }
  if (!catalog.modules.some(({ name }) => name === module)) {
    errors['ModuleName'] = [`The module ${module} is not defined.`]
  }
  if (Object.keys(errors).length > 0) throw new RejectedRequest({ reason: 'invalid', errors })
  return json({})
}

const servedLanguages = async (tables: Tables) =>
  tables
    .select()
    .from(languages)
    .where(eq(languages.isDraft, false))
    .orderBy(asc(languages.position))

const servedModules = async (tables: Tables) =>
  tables.select().from(modules).where(eq(modules.isDraft, false)).orderBy(asc(modules.position))

/**
 * Returns a translation file as JSON, with the version of the project's translations that it
 * contains; undefined when the project serves no such language or module.
 */
async function readFile(
  tables: Unscoped,
  { id }: Pick<Project, 'id'>,
  languageCode: string,
  moduleName: string,
): Promise<{ readonly body: string; readonly version: number } | undefined> {
  if (stringProblem(languageCode + moduleName)) return undefined
  const read = sql.raw(languageCode === keyLanguage ? 'read_key_file' : 'read_file')
  const { rows } = await tables.execute<FileRow>(sql`
    select version::float8, members from servicekit.${read}(${id}, ${languageCode}, ${moduleName})`)
  const [row] = rows
  if (!row) return undefined
  const { version, members } = row
  // PostgreSQL builds the members, because a message for each row takes most of the time. Not an
  // object, which would move keys that look like numbers to the front.
  if (typeof members !== 'object') return { version, body: `{${members}}` }
  return { version, body: members ? JSON.stringify(keyFile(members)) : '{}' }
}

interface FileRow extends Record<string, unknown> {
  readonly version: number
  /** Members of the file, or keys of a key file; null if there are none. */
  readonly members: string | readonly string[] | null
}
