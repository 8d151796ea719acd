import type { Services } from '../services.ts'
import type { ProjectSource } from './project-source.ts'
import { readProject } from './read-project.ts'
import { saveProject, type SaveOptions } from './save-project.ts'

/** What loading a project did. */
export interface LoadedProject {
  readonly key: string
  /** Modules of which a text in any language changed. */
  readonly changedModules: readonly string[]
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
  return { key: saved.key, changedModules: saved.changedModules }
}

/** Tells listeners that texts were published; of several modules at once, as of all. */
export async function tellPublished(
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
