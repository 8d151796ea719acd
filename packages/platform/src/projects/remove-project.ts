import { eq, sql } from 'drizzle-orm'
import { projects } from '../database/tables.ts'
import type { Services } from '../services.ts'
import { bytesRemoval } from '../storage/bytes.ts'
import type { Project } from './project-directory.ts'
import { lockProject } from './versions.ts'

/**
 * Removes a project and all its data, with the bytes of its files in every storage. An
 * unreachable storage does not prevent the removal: `onError` receives an error for the files
 * that remain.
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
