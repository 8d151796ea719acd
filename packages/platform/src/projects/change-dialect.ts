import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { projects } from '../database/tables.ts'
import { lockProject } from './versions.ts'
import type { Dialect } from './dialect.ts'
import type { Project } from './project-directory.ts'

/** Changes members of a project's dialect; the others keep their values. */
export async function changeDialect(
  database: Database,
  project: Project,
  changes: { readonly [K in keyof Dialect]?: Dialect[K] | undefined },
): Promise<Dialect> {
  const given = Object.fromEntries(
    Object.entries(changes).filter(([, choice]) => choice !== undefined),
  )
  const dialect: Dialect = { ...project.dialect, ...given }
  await database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    await tables
      .update(projects)
      .set({ dialect, textsVersion: sql`texts_version + 1` })
      .where(eq(projects.id, project.id))
  })
  return dialect
}
