import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { projects, projectTables } from '../database/tables.ts'
import type { Project } from './project-directory.ts'
import { lockProject } from './versions.ts'

/** Removes a project and all its data. */
export async function removeProject(database: Database, { id }: Project): Promise<void> {
  await database.scoped(id, async (tables) => {
    await lockProject(tables, id)
    for (const table of projectTables) await tables.delete(table).where(eq(table.projectId, id))
    await tables.execute(sql`delete from servicekit.jobs where for_project = ${id}`)
    await tables.delete(projects).where(eq(projects.id, id))
  })
}
