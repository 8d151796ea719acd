import { type Edited, removeKey, setTexts, type TextEdit } from '../localization/edit-texts.ts'
import type { Services } from '../services.ts'
import type { Problem } from './problem.ts'
import type { Project } from './project-directory.ts'
import type { ProjectSource } from './project-source.ts'
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
 * Reads a project, saves it, and tells listeners when its texts changed.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function loadProject(
  services: Services,
  source: string | ProjectSource,
  options: SaveOptions = {},
): Promise<LoadedProject> {
  const project = typeof source === 'string' ? await readProject(source) : source
  const saved = await saveProject(services.database, project, options)
  if (saved.changedModules.length > 0)
    await tellPublished(services, saved.key, saved.changedModules)
  const { key, changedModules, problems } = saved
  return { key, changedModules, problems }
}

/** Tells listeners that texts were published; of several modules at once, as of all. */
async function tellPublished(
  { events, localization, options, projects }: Services,
  projectKey: string,
  moduleNames: readonly string[],
): Promise<void> {
  const project = await projects.find(projectKey)
  const modules =
    project && moduleNames.length === 1 && (await localization.catalog(project)).modules
  const only = modules ? modules.find(({ name }) => name === moduleNames[0]) : undefined
  events.emit(projectKey, {
    GenerateUilmFilesEvent: {
      Guid: options.newId(),
      ModuleId: only?.itemId ?? null,
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
  if ('changedModules' in edited && edited.changedModules.length > 0) {
    await tellPublished(services, key, edited.changedModules)
  }
  return edited
}
