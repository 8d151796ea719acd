import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { projects } from '../database/tables.ts'
import { type Dialect, defaultDialect } from './dialect.ts'

/** A project as every request sees it: who it is, and what counts as current. */
export interface Project {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly organizationId: string
  readonly fallback: string
  readonly dialect: Dialect
  /** Goes up when a language, module or text changes. */
  readonly textsVersion: number
  /** Goes up when a data schema changes. */
  readonly schemasVersion: number
}

/** Key of the project that the uilm routes answer for when the header is absent. */
export const sharedProjectKey = 'servicekit-shared'

/** Finds projects by key; every process sees a change at once. */
export interface ProjectDirectory {
  readonly find: (key: string) => Promise<Project | undefined>
  readonly list: () => Promise<readonly Project[]>
}

/** The directory over a database. The lookup is a prepared statement: each request does one. */
export function projectDirectory({ directory }: Database): ProjectDirectory {
  const byKey = directory
    .select()
    .from(projects)
    .where(eq(projects.key, sql.placeholder('key')))
    .prepare('project_by_key')
  return {
    find: async (key) => {
      // PostgreSQL refuses a text with U+0000; no project has such a key.
      if (key.includes('\0')) return undefined
      const [row] = await byKey.execute({ key })
      return row && withDefaults(row)
    },
    list: async () => {
      const rows = await directory.select().from(projects).orderBy(asc(projects.key))
      return rows.map(withDefaults)
    },
  }
}

/** A row that was written before a member of the dialect existed lacks it. */
const withDefaults = (row: Project): Project => ({
  ...row,
  dialect: { ...defaultDialect, ...row.dialect },
})
