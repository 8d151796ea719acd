import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { completeDialect, type Dialect } from './dialect.ts'

/** Project as every request sees it: its identity and its current versions. */
export interface Project {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly organizationId: string
  readonly fallback: string
  readonly dialect: Dialect
  /** Origins of its browser applications. */
  readonly origins: readonly string[]
  /** Incremented when a language, module or translation changes. */
  readonly textsVersion: number
  /** Incremented when a data schema changes. */
  readonly schemasVersion: number
}

/** Key of the project that the uilm routes use when the header is absent. */
export const sharedProjectKey = 'servicekit-shared'

/** Finds projects by key; every process sees a change immediately. */
export interface ProjectDirectory {
  readonly find: (key: string) => Promise<Project | undefined>
  readonly list: () => Promise<readonly Project[]>
  /** Resolves with whether any project registers an origin. */
  readonly registers: (origin: string) => Promise<boolean>
}

const select = sql`
  select id, key, name, organization_id, fallback, dialect, origins,
    texts_version::float8, schemas_version::float8 from servicekit.projects`

interface Row extends Record<string, unknown> {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly organization_id: string
  readonly fallback: string
  readonly dialect: Partial<Dialect>
  readonly origins: readonly string[]
  readonly texts_version: number
  readonly schemas_version: number
}

/** Creates the directory of a database. */
export function projectDirectory({ directory }: Database): ProjectDirectory {
  return {
    find: async (key) => {
      // PostgreSQL rejects strings with U+0000; no project has such a key.
      if (key.includes('\0')) return undefined
      const { rows } = await directory.execute<Row>(sql`${select} where key = ${key}`)
      return rows[0] && toProject(rows[0])
    },
    list: async () => {
      const { rows } = await directory.execute<Row>(sql`${select} order by key`)
      return rows.map(toProject)
    },
    registers: async (origin) => {
      if (origin.includes('\0')) return false
      const { rows } = await directory.execute(sql`
        select from servicekit.projects where ${origin} = any(origins) limit 1`)
      return rows.length > 0
    },
  }
}

const toProject = (row: Row): Project => ({
  id: row.id,
  key: row.key,
  name: row.name,
  organizationId: row.organization_id,
  fallback: row.fallback,
  // Rows written before a dialect member was added lack it.
  dialect: completeDialect(row.dialect),
  origins: row.origins,
  textsVersion: row.texts_version,
  schemasVersion: row.schemas_version,
})
