import type { DatabaseError } from 'pg'

/** PostgreSQL error codes of a serialization failure and a deadlock. */
const conflicts: ReadonlySet<string | undefined> = new Set(['40001', '40P01'])
/** Time in ms after which work that failed is not repeated. Deadlocks are detected after 1 s. */
const maxMs = 5000

/** Returns true if a transaction was rolled back because of another one at the same time. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error &&
  (conflicts.has((error as Partial<DatabaseError>).code) || isConflict(error.cause))

/** Runs a transaction or a statement, and once more if it conflicts with another one. */
export async function repeatConflicts<T>(run: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    return await run()
  } catch (error) {
    if (!isConflict(error) || performance.now() - startedAt > maxMs) throw error
    return run()
  }
}
