import { saveIdentity } from '../identity/save-identity.ts'
import type { Services } from '../services.ts'
import { outboxOf } from '../webhooks/outbox.ts'
import { parseProject } from './parse-project.ts'
import { type PreparedProject, prepareProject } from './prepare-project.ts'
import type { Project } from './project-directory.ts'
import type { Problem } from './project-source.ts'
import { publicationEvent, recordPublication } from './publish.ts'
import { removeProject } from './remove-project.ts'
import { saveExtras } from './save-extras.ts'
import { saveProject, type SaveOptions } from './save-project.ts'

/** Result of loading a project. */
export interface LoadedProject {
  readonly key: string
  /** Modules in which a translation in any language changed. */
  readonly changedModules: readonly string[]
  /** Problems in the project's schemas and records; everything else works. */
  readonly problems: readonly Problem[]
}

/** Saves a project, and notifies listeners if its translations changed. */
export async function loadProject(
  services: Services,
  prepared: PreparedProject,
  options: Pick<SaveOptions, 'onlyChanged'> = {},
): Promise<LoadedProject> {
  const outbox = outboxOf(services)
  const { source } = prepared
  const { key, identity, extras, modules } = source
  const { changedModules, problems, isNew } = await saveProject(services.database, prepared, {
    ...options,
    onChanged: (id) => recordPublication(services, outbox, { id, key }),
  })
  const project = await services.projects.find(key)
  if (project && identity) await saveIdentity(services, project, identity)
  // Data that was kept may be newer than the folder.
  if (project && extras && (isNew || !options.onlyChanged)) {
    await saveExtras(services, project, extras)
  }
  services.sources.set(key, prepared.folder ?? source)
  outbox.emit()
  if (isNew && changedModules.length > 0) {
    // A new project has no webhook; only listeners on this machine are notified.
    const only = modules.find(({ moduleName }) => moduleName === changedModules[0])
    const moduleId = changedModules.length === 1 ? (only?.itemId ?? null) : null
    services.events.emit('event', key, publicationEvent(services, key, moduleId))
  }
  return { key, changedModules, problems }
}

/**
 * Loads a project from one JSON value, such as an export. The project becomes equal to it;
 * rows of tables that are not included stay. The bytes of its files are sent afterwards.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export async function importProject(
  services: Services,
  value: Readonly<Record<string, unknown>>,
): Promise<LoadedProject> {
  const source = parseProject(value)
  const loaded = await loadProject(services, await prepareProject(source))
  // A reset removes the bytes of files, which this value could not restore.
  const { stored_files: _, ...rows } = source.extras?.rows ?? {}
  const extras = source.extras && { ...source.extras, rows }
  services.sources.set(source.key, { ...source, extras })
  return loaded
}

/**
 * Resets a project to its source: the current contents of its folder, or the value that the
 * program gave. All later changes are lost.
 *
 * @returns undefined if the project was not loaded since this process started.
 */
export async function resetProject(
  services: Services,
  project: Project,
): Promise<LoadedProject | undefined> {
  const source = services.sources.get(project.key)
  if (source === undefined) return undefined
  // Read first: an invalid folder must leave the project unchanged.
  const prepared = await prepareProject(source)
  await removeProject(services, project)
  return loadProject(services, prepared)
}
