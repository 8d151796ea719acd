import { eq } from 'drizzle-orm'
import type { PlatformEvent } from '../control/events.ts'
import type { Tables } from '../database/database.ts'
import { modules } from '../database/tables.ts'
import { publishDrafts } from '../localization/drafts.ts'
import {
  type Edited,
  type OnChanged,
  removeKey,
  setTexts,
  type TextEdit,
} from '../localization/edit-texts.ts'
import type { Services } from '../services.ts'
import { type Outbox, outboxOf } from '../webhooks/outbox.ts'
import type { Problem } from './problem.ts'
import type { Project } from './project-directory.ts'
import type { ProjectSource } from './project-source.ts'
import { type PreparedProject, prepareProject } from './read-data.ts'
import { readProject } from './read-project.ts'
import { saveProject, type SaveOptions } from './save-project.ts'

/** Result of loading a project. */
export interface LoadedProject {
  readonly key: string
  /** Modules in which a translation in any language changed. */
  readonly changedModules: readonly string[]
  /** Problems in the project's schemas and records; everything else works. */
  readonly problems: readonly Problem[]
}

/**
 * Reads a project, from its folder if `source` is a path, and prepares it for saving.
 *
 * @throws PlatformError `PROJECT_INVALID`
 */
export const readPrepared = async (source: string | ProjectSource): Promise<PreparedProject> =>
  typeof source === 'string'
    ? { ...prepareProject(await readProject(source)), folder: source }
    : prepareProject(source)

/** Saves users, roles and clients of the project, if its source has any. */
async function loadIdentity(services: Services, { source }: PreparedProject): Promise<void> {
  if (!source.identity) return
  const project = await services.projects.find(source.key)
  if (!project) return
  const { saveIdentity } = await import('../identity/save-identity.ts')
  await saveIdentity(services, project, source.identity)
}

/** Saves what an export contains in addition to the files of a project. */
async function loadExtras(services: Services, { source }: PreparedProject): Promise<void> {
  if (!source.extras) return
  const project = await services.projects.find(source.key)
  if (!project) return
  const { saveExtras } = await import('./save-extras.ts')
  await saveExtras(services, project, source.extras)
}

/** Saves a project, and notifies listeners when its translations changed. */
export async function loadProject(
  services: Services,
  project: PreparedProject,
  options: Pick<SaveOptions, 'onlyChanged'> = {},
): Promise<LoadedProject> {
  const outbox = outboxOf(services)
  const { key } = project.source
  const { changedModules, problems, isNew } = await saveProject(services.database, project, {
    ...options,
    onChanged: (id) => publishing(services, outbox, { id, key }),
  })
  await loadIdentity(services, project)
  // Data that was kept may be newer than the folder.
  if (isNew || !options.onlyChanged) await loadExtras(services, project)
  services.sources.set(key, project.folder ?? project.source)
  outbox.tell()
  if (isNew && changedModules.length > 0) {
    // A new project has no webhook; only listeners on this machine are notified.
    const only = project.source.modules.find(({ moduleName }) => moduleName === changedModules[0])
    const moduleId = changedModules.length === 1 ? (only?.itemId ?? null) : null
    services.events.emit('event', key, publishedEvent(services, key, moduleId))
  }
  return { key, changedModules, problems }
}

/** Sets translations and notifies listeners. */
export async function editTexts(
  services: Services,
  project: Project,
  edits: readonly TextEdit[],
): Promise<Edited> {
  return told(services, project, (onChanged) =>
    setTexts(services.database, project, edits, onChanged),
  )
}

/** Removes a key and notifies listeners. */
export async function dropKey(
  services: Services,
  project: Project,
  module: string,
  key: string,
): Promise<Edited> {
  return told(services, project, (onChanged) =>
    removeKey(services.database, project, module, key, onChanged),
  )
}

/** Publishes all drafts and notifies listeners. */
export async function publishProject(services: Services, project: Project) {
  return told(services, project, (onChanged) =>
    publishDrafts(services.database, project, onChanged),
  )
}

/** Runs a change, and notifies listeners after it is committed. */
async function told<T>(
  services: Services,
  project: Project,
  change: (onChanged: OnChanged) => Promise<T>,
): Promise<T> {
  const outbox = outboxOf(services)
  const changed = await change(publishing(services, outbox, project))
  outbox.tell()
  return changed
}

/** Returns a callback that records a publication in the transaction of the change. */
export const publishing =
  (
    services: Services,
    outbox: Outbox,
    project: { readonly id: number; readonly key: string },
  ): OnChanged =>
  async (tables, changedModules) => {
    const moduleId = await moduleIdOf(tables, changedModules)
    await outbox.add(tables, project, publishedEvent(services, project.key, moduleId))
  }

/** Event for published translations; `moduleId` is null if several modules changed. */
const publishedEvent = (
  { options }: Services,
  projectKey: string,
  moduleId: string | null,
): PlatformEvent => ({
  GenerateUilmFilesEvent: { Guid: options.newId(), ModuleId: moduleId, ProjectKey: projectKey },
})

async function moduleIdOf(tables: Tables, names: readonly string[]): Promise<string | null> {
  const [name] = names
  if (name === undefined || names.length > 1) return null
  const [row] = await tables.select().from(modules).where(eq(modules.name, name))
  return row?.itemId ?? null
}
