import { eq } from 'drizzle-orm'
import type { PlatformEvent } from '../control/event-hub.ts'
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
  typeof source === 'string'
    ? { ...prepareProject(await readProject(source)), folder: source }
    : prepareProject(source)

/** Saves who may use the project, where its source says so. */
async function loadIdentity(services: Services, { source }: PreparedProject): Promise<void> {
  if (!source.identity) return
  const project = await services.projects.find(source.key)
  if (!project) return
  const { saveIdentity } = await import('../identity/save-identity.ts')
  await saveIdentity(services, project, source.identity)
}

/** Saves what an export holds beside the files of a project. */
async function loadExtras(services: Services, { source }: PreparedProject): Promise<void> {
  if (!source.extras) return
  const project = await services.projects.find(source.key)
  if (!project) return
  const { saveExtras } = await import('./save-extras.ts')
  await saveExtras(services, project, source.extras)
}

/** Saves a project, and tells listeners when its texts changed. */
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
  // On data that was kept, what came of them since then stays.
  if (isNew || !options.onlyChanged) await loadExtras(services, project)
  services.sources.set(key, project.folder ?? project.source)
  outbox.tell()
  if (isNew && changedModules.length > 0) {
    // A project that is new has no webhook; whoever waits for it on this machine hears of it.
    const only = project.source.modules.find(({ moduleName }) => moduleName === changedModules[0])
    const moduleId = changedModules.length === 1 ? (only?.itemId ?? null) : null
    services.events.emit(key, publishedEvent(services, key, moduleId))
  }
  return { key, changedModules, problems }
}

/** Sets texts and tells listeners of it. */
export async function editTexts(
  services: Services,
  project: Project,
  edits: readonly TextEdit[],
): Promise<Edited> {
  return told(services, project, (onChanged) =>
    setTexts(services.database, project, edits, onChanged),
  )
}

/** Removes a key and tells listeners of it. */
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

/** Publishes what was drafted and tells listeners of it. */
export async function publishProject(services: Services, project: Project) {
  return told(services, project, (onChanged) =>
    publishDrafts(services.database, project, onChanged),
  )
}

/** Runs a change, and tells of it when it is made. */
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

/** Records in a change's transaction that texts were published. */
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

/** What is told when texts were published; of several modules at once, as of all. */
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
