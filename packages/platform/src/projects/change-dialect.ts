import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { projects } from '../database/tables.ts'
import { lockProject } from './versions.ts'
import type { z } from 'zod'
import { completeDialect, type Dialect, type DialectChoice } from './dialect.ts'
import type { Project } from './project-directory.ts'

/** Changes members of a project's dialect; the others keep their values. */
export async function changeDialect(
  database: Database,
  project: Project,
  changes: z.infer<typeof DialectChoice>,
): Promise<Dialect> {
  const dialect = completeDialect({ ...project.dialect, ...changes })
  await database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    await tables
      .update(projects)
      .set({ dialect, textsVersion: sql`texts_version + 1` })
      .where(eq(projects.id, project.id))
  })
  return dialect
}
