import { type SQL, sql } from 'drizzle-orm'
import type { Unscoped } from './database.ts'

/**
 * Calls a function of the database that returns one value, in one statement without a transaction.
 * Functions that read rows of a project limit themselves to the project.
 *
 * @returns undefined for null.
 */
export async function callFunction<T>(unscoped: Unscoped, call: SQL): Promise<T | undefined> {
  const { rows } = await unscoped.execute<{ value: T | null }>(
    sql`select servicekit.${call} as value`,
  )
  return rows[0]?.value ?? undefined
}
