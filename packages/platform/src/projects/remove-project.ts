import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { projects } from '../database/tables.ts'
import type { Project } from './project-directory.ts'

/** Removes a project and everything in it. */
export async function removeProject(database: Database, { id }: Project): Promise<void> {
  await database.scoped(id, async (tables) => {
    // Texts have no foreign key, so they do not go by themselves.
    await tables.execute(sql`
      delete from servicekit.texts where module_id in (select id from servicekit.modules)`)
    await tables.delete(projects).where(eq(projects.id, id))
  })
}
