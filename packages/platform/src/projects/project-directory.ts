import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { projects } from '../database/tables.ts'
import { completeDialect } from './dialect.ts'

/**
 * Project as every request sees it: its identity, the origins of its browser applications,
 * and versions that are incremented when its translations or data schemas change.
 */
export type Project = Readonly<typeof projects.$inferSelect>

/** Key of the project that the uilm routes use when the header is absent. */
export const sharedProjectKey = 'servicekit-shared'

export type ProjectDirectory = ReturnType<typeof createProjectDirectory>

/** Finds projects by key; every process sees a change immediately. */
export function createProjectDirectory({ unscoped }: Database) {
  return {
    find: async (key: string): Promise<Project | undefined> => {
      // PostgreSQL rejects strings with U+0000; no project has such a key.
      if (key.includes('\0')) return undefined
      const [row] = await unscoped.select().from(projects).where(eq(projects.key, key))
      return row && complete(row)
    },
    list: async (): Promise<readonly Project[]> => {
      const rows = await unscoped.select().from(projects).orderBy(projects.key)
      return rows.map(complete)
    },
    /** Resolves with true if any project registers an origin. */
    registers: async (origin: string): Promise<boolean> => {
      if (origin.includes('\0')) return false
      const isRegistered = sql`${origin} = any(${projects.origins})`
      return (await unscoped.$count(projects, isRegistered)) > 0
    },
  }
}

/** Rows written before a dialect member was added lack it. */
const complete = (row: Project): Project => ({ ...row, dialect: completeDialect(row.dialect) })
