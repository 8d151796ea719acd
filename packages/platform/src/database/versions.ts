import { eq, sql } from 'drizzle-orm'
import type { Database, Tables } from './database.ts'
import { projects } from './tables.ts'

export async function bumpVersion(
  tables: Tables,
  projectId: number,
  column: 'textsVersion' | 'schemasVersion' | 'secretsVersion',
): Promise<void> {
  await tables
    .update(projects)
    .set({ [column]: sql`${projects[column]} + 1` })
    .where(eq(projects.id, projectId))
}

/**
 * Locks the project against changes by others until this transaction ends. Not against rows that
 * refer to it, such as records and sessions, which lock its key.
 */
export async function lockProject(tables: Tables, projectId: number): Promise<void> {
  await tables
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('no key update')
}

/** Runs `work` in a transaction of the project that holds its lock. */
export const scopedAndLocked = <T>(
  database: Database,
  { id }: { readonly id: number },
  work: (tables: Tables) => Promise<T>,
): Promise<T> =>
  database.scoped(id, async (tables) => {
    await lockProject(tables, id)
    return work(tables)
  })
