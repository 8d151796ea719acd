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

/** Finds projects by key; every process sees a change immediately. */
export interface ProjectDirectory {
  readonly find: (key: string) => Promise<Project | undefined>
  readonly list: () => Promise<readonly Project[]>
  /** Resolves with true if any project registers an origin. */
  readonly registers: (origin: string) => Promise<boolean>
}

/** Creates the directory of the projects in a database. */
export function createProjectDirectory({ unscoped }: Database): ProjectDirectory {
  return {
    find: async (key) => {
      // PostgreSQL rejects strings with U+0000; no project has such a key.
      if (key.includes('\0')) return undefined
      const [row] = await unscoped.select().from(projects).where(eq(projects.key, key))
      return row && complete(row)
    },
    list: async () => {
      const rows = await unscoped.select().from(projects).orderBy(projects.key)
      return rows.map(complete)
    },
    registers: async (origin) => {
      if (origin.includes('\0')) return false
      const isRegistered = sql`${origin} = any(${projects.origins})`
      return (await unscoped.$count(projects, isRegistered)) > 0
    },
  }
}

/** Rows written before a dialect member was added lack it. */
const complete = (row: Project): Project => ({ ...row, dialect: completeDialect(row.dialect) })
