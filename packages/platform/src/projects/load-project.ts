import { eq, sql } from 'drizzle-orm'
import { projects } from '../database/tables.ts'
import { saveIdentity } from '../identity/save-identity.ts'
import type { Services } from '../services.ts'
import { bytesRemoval } from '../storage/bytes.ts'
import { outboxOf } from '../webhooks/outbox.ts'
import { parseProject } from './parse-project.ts'
import { type PreparedProject, prepareProject } from './prepare-project.ts'
import type { Project } from '../database/project-directory.ts'
import type { Problem } from '../project-source.ts'
import { saveExtras } from './save-extras.ts'
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

/** Saves a project, and sends an event if its translations changed. */
export async function loadProject(
  services: Services,
  prepared: PreparedProject,
  onlyChanged = false,
): Promise<LoadedProject> {
  const outbox = outboxOf(services)
  const { source, identity, problems } = prepared
  const { key } = source
  const { changedModules, isNew } = await saveProject(services, outbox, prepared, onlyChanged)
  const project = await services.projects.find(key)
  if (project && identity) await saveIdentity(services, project, identity)
  // Data that was kept may be newer than the folder.
  if (project && (isNew || !onlyChanged)) await saveExtras(services, project, source)
  services.sources.set(key, prepared.folder ?? source)
  outbox.emit()
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
  await removeProject(services, project)
  return loadProject(services, prepared)
}

/**
 * Removes a project and all its data, with the bytes of its files in every storage. An unreachable
 * storage does not prevent the removal: `onError` receives an error for the files that remain.
 */
export async function removeProject(services: Services, project: Project): Promise<void> {
  const removeFiles = await bytesRemoval(services, project)
  const { id } = project
  await services.database.scoped(id, async (tables) => {
    await lockProject(tables, id)
    const { rows } = await tables.execute<{ name: string }>(sql`
      select table_name as name from information_schema.columns
      where table_schema = 'servicekit' and column_name = 'project_id'`)
    for (const { name } of rows) {
      await tables.execute(sql`
        delete from servicekit.${sql.identifier(name)} where project_id = ${id}`)
    }
    await tables.execute(sql`delete from servicekit.jobs where for_project = ${id}`)
    await tables.delete(projects).where(eq(projects.id, id))
  })
  await removeFiles()
}
