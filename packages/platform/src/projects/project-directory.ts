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

const select = `
  select id, key, name, organization_id, fallback, dialect, origins,
    texts_version::float8, schemas_version::float8 from servicekit.projects`

const registering = `select from servicekit.projects where $1 = any(origins) limit 1`

interface Row {
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
export function projectDirectory({ send }: Database): ProjectDirectory {
  return {
    find: async (key) => {
      // PostgreSQL rejects strings with U+0000; no project has such a key.
      if (key.includes('\0')) return undefined
      const [found] = await send([{ text: `${select} where key = $1`, values: [key] }])
      const [row] = found!.rows as unknown as readonly Row[]
      return row && toProject(row)
    },
    list: async () => {
      const [found] = await send([{ text: `${select} order by key`, values: [] }])
      return (found!.rows as unknown as readonly Row[]).map(toProject)
    },
    registers: async (origin) => {
      if (origin.includes('\0')) return false
      const [found] = await send([{ text: registering, values: [origin] }])
      return found!.rows.length > 0
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
