import { sql } from 'drizzle-orm'
import type { Database, Tables } from './database.ts'

export async function bumpVersion(
  tables: Tables,
  projectId: number,
  column: 'texts_version' | 'schemas_version',
): Promise<void> {
  const version = sql.identifier(column)
  await tables.execute(sql`
    update servicekit.projects set ${version} = ${version} + 1 where id = ${projectId}`)
}

/**
 * Locks the project against changes by others until this transaction ends. Not against rows that
 * refer to it, such as records and sessions, which lock its key.
 */
export async function lockProject(tables: Tables, projectId: number): Promise<void> {
  await tables.execute(sql`select from servicekit.projects where id = ${projectId}
    for no key update`)
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
