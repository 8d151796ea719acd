import { localization } from '@servicekit/contract'
import { type Answer, json } from '../http/answer.ts'
import { type Call, serve } from '../http/mount.ts'
import { type Project, sharedProjectKey } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { languageList } from './language-list.ts'

type FileCall = Pick<Call<typeof localization.getFile>, 'services' | 'project' | 'query' | 'refuse'>

/** The operations of section 4.6, in both families. */
export const localizationOperations = [
  serve(localization.listLanguages, async ({ services, project }) => {
    const { languages } = await services.localization.catalog(project)
    return json(languageList(languages, project.key))
  }),
  serve(localization.listModules, ({ services, project }) => modulesOf(services, project)),
  serve(localization.getFile, (call) => fileOf(call, call.project)),
  serve(
    localization.uilmListLanguages,
    async ({ services, project, hasHeader }) => {
      const answering = hasHeader ? project : await sharedProject(services)
      const { languages } = await services.localization.catalog(answering)
      return json(languageList(languages, hasHeader ? project.key : null))
    },
    { isHeaderOptional: true },
  ),
  serve(
    localization.uilmListModules,
    async ({ services, project, hasHeader }) =>
      modulesOf(services, hasHeader ? project : await sharedProject(services)),
    { isHeaderOptional: true },
  ),
  serve(
    localization.uilmGetFile,
    async (call) =>
      fileOf(call, call.hasHeader ? call.project : await sharedProject(call.services)),
    { isHeaderOptional: true },
  ),
]

async function sharedProject({ projects }: Services): Promise<Project> {
  const project = await projects.find(sharedProjectKey)
  if (!project) throw new Error(`The shared project ${sharedProjectKey} is gone.`)
  return project
}

async function modulesOf({ localization }: Services, project: Project): Promise<Answer> {
  const { modules } = await localization.catalog(project)
  return json(modules.map(({ itemId, name }) => ({ itemId, moduleName: name })))
}

/**
 * Returns the file of `answering`, which is the shared project when the header is absent. If
 * that project has no such file, language and module are looked up in the named project as
 * well, so that a valid request gets a 200.
 */
async function fileOf(call: FileCall, answering: Project): Promise<Answer> {
  const { services, project, query } = call
  const file = await services.localization.file(answering, query.Language, query.ModuleName)
  if (file) {
    return {
      status: 200,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
        etag: file.etag,
      },
      body: file.body,
    }
  }
  const undefinedNames = await undefinedIn(services, project, query)
  if (Object.keys(undefinedNames).length === 0) return json({})
  return call.refuse({ reason: 'invalid', errors: undefinedNames })
}

async function undefinedIn(
  { localization }: Services,
  project: Project,
  query: { readonly Language: string; readonly ModuleName: string },
): Promise<Record<string, string[]>> {
  const { languages, modules } = await localization.catalog(project)
  const errors: Record<string, string[]> = {}
  if (!languages.some(({ code }) => code === query.Language)) {
    errors['Language'] = [`The language ${query.Language} is not defined.`]
  }
  if (!modules.some(({ name }) => name === query.ModuleName)) {
    errors['ModuleName'] = [`The module ${query.ModuleName} is not defined.`]
  }
  return errors
}
