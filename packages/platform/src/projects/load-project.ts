import { type Edited, removeKey, setTexts, type TextEdit } from '../localization/edit-texts.ts'
import type { Services } from '../services.ts'
import type { Problem } from './problem.ts'
import type { Project } from './project-directory.ts'
import type { ProjectSource } from './project-source.ts'
import { type PreparedProject, prepareProject } from './read-data.ts'
import { readProject } from './read-project.ts'
import { saveProject, type SaveOptions } from './save-project.ts'

/** What loading a project did. */
export interface LoadedProject {
  readonly key: string
  /** Modules of which a text in any language changed. */
  readonly changedModules: readonly string[]
  /** What is odd about the project's schemas and records; the rest works. */
  readonly problems: readonly Problem[]
}

/**
 * Reads a project, from its folder where it is one, and readies it for saving.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export const readPrepared = async (source: string | ProjectSource): Promise<PreparedProject> =>
  prepareProject(typeof source === 'string' ? await readProject(source) : source)

/** Saves a project, and tells listeners when its texts changed. */
export async function loadProject(
  services: Services,
  project: PreparedProject,
  options: SaveOptions = {},
): Promise<LoadedProject> {
  const { key, changedModules, problems } = await saveProject(services.database, project, options)
  if (changedModules.length > 0) {
    tellPublished(services, key, changedModules, project.source.modules)
  }
  return { key, changedModules, problems }
}

/** Tells listeners that texts were published; of several modules at once, as of all. */
function tellPublished(
  { events, options }: Services,
  projectKey: string,
  changed: readonly string[],
  modules: readonly { readonly itemId: string; readonly moduleName: string }[],
): void {
  const only = modules.find(({ moduleName }) => moduleName === changed[0])
  events.emit(projectKey, {
    GenerateUilmFilesEvent: {
      Guid: options.newId(),
      ModuleId: changed.length === 1 ? (only?.itemId ?? null) : null,
      ProjectKey: projectKey,
    },
  })
}

/** Sets texts and tells listeners of it. */
export async function editTexts(
  services: Services,
  project: Project,
  edits: readonly TextEdit[],
): Promise<Edited> {
  return told(services, project, await setTexts(services.database, project, edits))
}

/** Removes a key and tells listeners of it. */
export async function dropKey(
  services: Services,
  project: Project,
  module: string,
  key: string,
): Promise<Edited> {
  return told(services, project, await removeKey(services.database, project, module, key))
}

async function told(services: Services, { key }: Project, edited: Edited): Promise<Edited> {
  if ('fault' in edited || edited.changedModules.length === 0) return edited
  const project = await services.projects.find(key)
  if (project) {
    const { modules } = await services.localization.catalog(project)
    const named = modules.map(({ itemId, name }) => ({ itemId, moduleName: name }))
    tellPublished(services, key, edited.changedModules, named)
  }
  return edited
}
