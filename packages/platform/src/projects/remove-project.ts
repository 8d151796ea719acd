import { eq, sql } from 'drizzle-orm'
import { projects, projectTables } from '../database/tables.ts'
import type { Services } from '../services.ts'
import { filesOf } from '../storage/remove-files.ts'
import type { Project } from './project-directory.ts'
import { lockProject } from './versions.ts'

/**
 * Removes a project and all its data, with the bytes of its files in every storage. An
 * unreachable storage does not prevent the removal: `onError` receives an error for the files
 * that remain.
 */
export async function removeProject(services: Services, project: Project): Promise<void> {
  const removeFiles = await filesOf(services, project)
  const { id } = project
  await services.database.scoped(id, async (tables) => {
    await lockProject(tables, id)
    for (const table of projectTables) await tables.delete(table).where(eq(table.projectId, id))
    await tables.execute(sql`delete from servicekit.jobs where for_project = ${id}`)
    await tables.delete(projects).where(eq(projects.id, id))
  })
  await removeFiles()
}
