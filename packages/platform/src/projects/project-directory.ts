import { lru } from '../common/lru.ts'
import type { Database } from '../database/database.ts'
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
  /** Another one whenever any of this changes, or somebody might no longer be let in. */
  readonly stamp: string
}

/** Key of the project that the uilm routes answer for when the header is absent. */
export const sharedProjectKey = 'servicekit-shared'

/** Finds projects by key; every process sees a change at once. */
export interface ProjectDirectory {
  readonly find: (key: string) => Promise<Project | undefined>
  /** The project as it was found last. Whether it still is, its stamp says. */
  readonly recall: (key: string) => Project | undefined
  readonly list: () => Promise<readonly Project[]>
}

/** Projects that are remembered. */
const kept = 1000

/** What a project's stamp is made of: its row, and who is let in. */
const stamp = `p.xmin::text || ' ' || coalesce(e.epoch, 0)`
const from = 'from servicekit.projects p left join servicekit.epochs e on e.id = p.id'
const select = `
  select p.id, p.key, p.name, p.organization_id, p.fallback, p.dialect,
    p.texts_version::float8, p.schemas_version::float8, ${stamp} as stamp ${from}`

interface Row {
  readonly id: number
  readonly key: string
  readonly name: string
  readonly organization_id: string
  readonly fallback: string
  readonly dialect: Partial<Dialect>
  readonly texts_version: number
  readonly schemas_version: number
  readonly stamp: string
}

/** The directory over a database. */
export function projectDirectory({ send }: Database): ProjectDirectory {
  const remembered = lru<Project>(kept)
  return {
    find: async (key) => {
      // PostgreSQL refuses a text with U+0000; no project has such a key.
      if (key.includes('\0')) return undefined
      const [found] = await send([{ text: `${select} where p.key = $1`, values: [key] }])
      const [row] = found!.rows as unknown as readonly Row[]
      if (!row) remembered.remove(key)
      else remembered.set(key, toProject(row))
      return row && remembered.get(key)
    },
    recall: (key) => remembered.get(key),
    list: async () => {
      const [found] = await send([{ text: `${select} order by p.key`, values: [] }])
      return (found!.rows as unknown as readonly Row[]).map(toProject)
    },
  }
}

const toProject = (row: Row): Project => ({
  id: row.id,
  key: row.key,
  name: row.name,
  organizationId: row.organization_id,
  fallback: row.fallback,
  // A row that was written before a member of the dialect existed lacks it.
  dialect: { ...defaultDialect, ...row.dialect },
  textsVersion: row.texts_version,
  schemasVersion: row.schemas_version,
  stamp: row.stamp,
})

/** Whether the row of `p` and `e` has the stamp that is the value of `$2`. */
export const hasStamp = `${stamp} = $2`
export const projectRow = from
