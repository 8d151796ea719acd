import { localization } from '@servicekit/contract'
import { RejectedRequest } from '../http/rejected-request.ts'
import { etagOf, json } from '../http/responses.ts'
import { type Call, serve } from '../http/mount.ts'
import { type Project, sharedProjectKey } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { readFile, servedLanguages, servedModules } from './read-files.ts'

type FileCall = Pick<Call<typeof localization.getFile>, 'services' | 'snapshot' | 'query'>

const uilm = { isHeaderOptional: true }

/** The operations of section 4.6, in both families. */
export const localizationOperations = [
  serve(localization.listLanguages, ({ services, project }) =>
    listLanguages(services, project, project.key),
  ),
  serve(localization.listModules, ({ services, project }) => listModules(services, project)),
  serve(localization.getFile, (call) => getFile(call, call.project)),
  serve(
    localization.uilmListLanguages,
    async (call) => {
      const { services, project, hasHeader } = call
      return listLanguages(services, await servedProject(call), hasHeader ? project.key : null)
    },
    uilm,
  ),
  serve(
    localization.uilmListModules,
    async (call) => listModules(call.services, await servedProject(call)),
    uilm,
  ),
  serve(localization.uilmGetFile, async (call) => getFile(call, await servedProject(call)), uilm),
]

/** Returns the project of the header, or the shared project when the header is absent. */
async function servedProject({
  services,
  project,
  hasHeader,
}: Pick<Call, 'services' | 'project' | 'hasHeader'>): Promise<Project> {
  if (hasHeader) return project
  const shared = await services.projects.find(sharedProjectKey)
  if (!shared) throw new Error(`The shared project ${sharedProjectKey} is missing.`)
  return shared
}

const readOnly = { isReadOnly: true } as const

/** Responds with an array of language records (section 2.4). */
async function listLanguages(
  { database }: Services,
  { id }: Project,
  projectKey: string | null,
): Promise<Response> {
  const languages = await database.scoped(id, servedLanguages, readOnly)
  return json(
    languages.map(({ itemId, name, code, isDefault }): localization.Language => ({
      itemId,
      languageName: name,
      languageCode: code,
      isDefault,
      projectKey,
    })),
  )
}

async function listModules({ database }: Services, { id }: Project): Promise<Response> {
  const modules = await database.scoped(id, servedModules, readOnly)
  return json(modules.map(({ itemId, name }) => ({ itemId, moduleName: name })))
}

/**
 * Responds with the file of a project. If it has no such file, language and module are looked
 * up in the named project as well, so that a valid request gets a 200.
 */
async function getFile(call: FileCall, { id }: Project): Promise<Response> {
  const { services, snapshot, query } = call
  const { Language: language, ModuleName: module } = query
  const body = await services.database.scoped(
    id,
    (tables) => readFile(tables, language, module),
    readOnly,
  )
  if (body !== undefined) {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      etag: etagOf(body),
    }
    return new Response(body, { headers })
  }
  const { languages, modules } = await snapshot(async (tables) => ({
    languages: await servedLanguages(tables),
    modules: await servedModules(tables),
  }))
  const errors: Record<string, string[]> = {}
  if (!languages.some(({ code }) => code === language)) {
    errors['Language'] = [`The language ${language} is not defined.`]
  }
  if (!modules.some(({ name }) => name === module)) {
    errors['ModuleName'] = [`The module ${module} is not defined.`]
  }
  if (Object.keys(errors).length > 0) throw new RejectedRequest({ reason: 'invalid', errors })
  return json({})
}
