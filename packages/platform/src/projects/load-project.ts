import { eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { projects } from '../database/tables.ts'
import { hashNewPasswords, saveIdentity } from '../identity/save-identity.ts'
import type { Services } from '../services.ts'
import { bytesRemoval } from '../storage/bytes.ts'
import { outboxOf } from '../webhooks/outbox.ts'
import { parseProject } from './parse-project.ts'
import { type PreparedProject, prepareProject } from './prepare-project.ts'
import type { Project } from '../database/project-directory.ts'
import { checkSystemName, uploadPath } from './project-path.ts'
import type { Problem, ProjectSource } from '../project-source.ts'
import { namingFile, saveBytes, saveExtras } from './save-extras.ts'
import { saveProject } from './save-project.ts'
import { lockProject } from '../database/versions.ts'

/** Result of loading a project. */
export interface LoadedProject {
  readonly key: string
  /** Modules in which a translation in any language changed. */
  readonly changedModules: readonly string[]
  /** Problems in the project's schemas and records; everything else works. */
  readonly problems: readonly Problem[]
}

/**
 * Saves all parts of a project in one transaction, so that a file which is refused changes nothing,
 * and sends an event if its translations changed. Then stores the bytes of its files, whose storage
 * has no transactions.
 *
 * @param replaced project that is removed in the same transaction.
 */
export async function loadProject(
  services: Services,
  prepared: PreparedProject,
  onlyChanged = false,
  replaced?: Project,
): Promise<LoadedProject> {
  const { source, identity, problems } = prepared
  const { key, filesFolder, rows } = source
  await checkUploads(source)
  const hashes =
    identity &&
    (await hashNewPasswords(
      services,
      replaced ? undefined : await services.projects.find(key),
      identity,
    ))
  const removeFiles = replaced && (await bytesRemoval(services, replaced))
  const { id, isWhole, changedModules, outbox } = await services.database.scoped(
    replaced?.id ?? 0,
    async (tables) => {
      const outbox = outboxOf(services)
      if (replaced) await removeRows(tables, replaced)
      const saved = await saveProject(tables, services, outbox, prepared, onlyChanged)
      const head = { ...source, id: saved.id }
      if (identity && hashes) {
        await namingFile('identity', () => saveIdentity(tables, services, head, identity, hashes))
      }
      // Data that was kept may be newer than the folder.
      const isWhole = saved.isNew || !onlyChanged
      if (isWhole) await saveExtras(tables, services, saved.id, source)
      return { ...saved, isWhole, outbox }
    },
  )
  await removeFiles?.()
  if (isWhole && filesFolder !== undefined && rows?.stored_files) {
    await saveBytes(services, { id, key }, filesFolder)
  }
  services.sources.set(key, prepared.folder ?? source)
  outbox.emit()
  return { key, changedModules, problems }
}

/** Checks that the bytes of all uploaded files exist. @throws PlatformError `PROJECT_INVALID` */
async function checkUploads({ rows, filesFolder }: ProjectSource): Promise<void> {
  for (const { system_name: name } of rows?.stored_files ?? []) {
    if (filesFolder === undefined) checkSystemName(name)
    else await uploadPath(filesFolder, name)
  }
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
  const { stored_files: _, ...rows } = source.rows ?? {}
  services.sources.set(source.key, { ...source, rows })
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
  return loadProject(services, prepared, false, project)
}

/**
 * Removes a project and all its data, with the bytes of its files in every storage. An unreachable
 * storage does not prevent the removal: `onError` receives an error for the files that remain.
 */
export async function removeProject(services: Services, project: Project): Promise<void> {
  const removeFiles = await bytesRemoval(services, project)
  await services.database.scoped(project.id, (tables) => removeRows(tables, project))
  await removeFiles()
}

/** Removes a project, and by foreign keys all its rows. */
async function removeRows(tables: Tables, { id }: Pick<Project, 'id'>): Promise<void> {
  await lockProject(tables, id)
  await tables.delete(projects).where(eq(projects.id, id))
}
