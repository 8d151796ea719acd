import { keyLanguage, localization } from '@servicekit/contract'
import { keyFile, sharedProjectKey, stringProblem } from '@servicekit/core'
import { asc, eq, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { languages, modules } from '../database/tables.ts'
import { RejectedRequest } from '../http/rejected-request.ts'
import { json, revalidated } from '../http/responses.ts'
import { type Call, serve } from '../http/mount.ts'

type AnyCall = Pick<Call, 'services' | 'project' | 'hasHeader' | 'snapshot'>
type FileCall = AnyCall & Pick<Call<typeof localization.getFile>, 'query'>

const uilm = { isHeaderOptional: true }

/** The operations of section 4.6, in both families. */
export const localizationOperations = [
  serve(localization.listLanguages, listLanguages),
  serve(localization.listModules, listModules),
  serve(localization.getFile, getFile),
  serve(localization.uilmListLanguages, listLanguages, uilm),
  serve(localization.uilmListModules, listModules, uilm),
  serve(localization.uilmGetFile, getFile, uilm),
]

/** Reads from the project of the header, or from the shared project if the header is absent. */
async function readServed<T>(
  { services, project, hasHeader }: AnyCall,
  read: (tables: Tables) => Promise<T>,
  mayLag = true,
): Promise<T> {
  const served = hasHeader ? project : await services.projects.find(sharedProjectKey)
  if (!served) throw new Error(`The shared project ${sharedProjectKey} is missing.`)
  return services.database.scoped(served.id, read, { isReadOnly: true, mayLag })
}

/** Responds with an array of language records (section 2.4). */
async function listLanguages(call: AnyCall): Promise<Response> {
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

async function listModules(call: AnyCall): Promise<Response> {
  const rows = await readServed(call, servedModules)
  return json(rows.map(({ itemId, name }) => ({ itemId, moduleName: name })))
}

/**
 * Responds with a translation file. If there is no such file, language and module are looked
 * up in the named project as well, so that a valid request gets a 200.
 */
async function getFile(call: FileCall): Promise<Response> {
  const { snapshot, query } = call
  const { Language: language, ModuleName: module } = query
  const read = (tables: Tables) => readFile(tables, language, module)
  // A replica may not have received a new file.
  const body = (await readServed(call, read)) ?? (await readServed(call, read, false))
  if (body !== undefined) return revalidated(body)
  const served = await snapshot(async (tables) => ({
    languages: await servedLanguages(tables),
    modules: await servedModules(tables),
  }))
  const errors: Record<string, string[]> = {}
  if (!served.languages.some(({ code }) => code === language)) {
    errors['Language'] = [`The language ${language} is not defined.`]
  }
  if (!served.modules.some(({ name }) => name === module)) {
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
 * Returns a translation file as JSON; undefined when the project serves no such language or module.
 */
async function readFile(
  tables: Tables,
  languageCode: string,
  moduleName: string,
): Promise<string | undefined> {
  if (stringProblem(languageCode + moduleName)) return undefined
  const isKeyFile = languageCode === keyLanguage
  // PostgreSQL builds the members, because a message for each row takes most of the time. Not
  // an object, which would move keys that look like numbers to the front.
  const members = isKeyFile
    ? sql`json_agg(k.key ${byKey}) filter (where k.key is not null)`
    : sql`string_agg(to_json(k.key) || ':' || coalesce(to_json(t.value)::text, 'null'), ',' ${byKey})`
  // An outer join, because a file without translations still has one row.
  const translations = isKeyFile
    ? sql`left join servicekit.keys k on k.module_id = m.id`
    : sql`left join servicekit.texts t on t.module_id = m.id and t.language_id = l.id
        left join servicekit.keys k on k.id = t.key_id`
  const { rows } = await tables.execute<{ members: string | readonly string[] | null }>(sql`
    select ${members} as members from servicekit.languages l
    join servicekit.modules m on m.name = ${moduleName} and not m.is_draft
    ${translations}
    where l.code = ${languageCode} and not l.is_draft
    group by l.id, m.id`)
  if (!rows[0]) return undefined
  const found = rows[0].members ?? ''
  return typeof found === 'string' ? `{${found}}` : JSON.stringify(keyFile(found))
}

const byKey = sql.raw('order by k.key collate "C"')
