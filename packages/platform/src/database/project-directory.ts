import { eq, sql } from 'drizzle-orm'
import type { Database, Tables } from './database.ts'
import { projects } from './tables.ts'
import { completeDialect, type IdentityFile } from '@servicekit/contract/control'

/**
 * Project as every request sees it: its identity, the origins of its browser applications,
 * and versions that are incremented when its translations or data schemas change.
 */
export type Project = Readonly<typeof projects.$inferSelect>

export type ProjectDirectory = ReturnType<typeof createProjectDirectory>

/** Valid token with its session and the roles of its owner. */
export interface TokenRow {
  readonly client_id: string
  readonly account_id: string | null
  readonly org_id: string | null
  readonly session_organization: string | null
  readonly has_session: boolean
  /** Roles by organization; null without memberships. */
  readonly roles: Readonly<Record<string, readonly string[]>> | null
  /** Ancestors of each role of the project that has any. */
  readonly ancestors: Readonly<Record<string, readonly string[]>> | null
  readonly settings: IdentityFile['settings'] | null
}

/** Project of a request, with the token that the request sends, if it is valid. */
export interface FoundProject {
  readonly project: Project
  readonly token: TokenRow | undefined
}

/** Finds projects by key; every process sees a change immediately. */
export function createProjectDirectory({ unscoped }: Database, now: () => Date) {
  const token = sql<TokenRow | null>`servicekit.find_token(${projects.id}, ${sql.placeholder('hash')}, ${sql.placeholder('now')})`
  // Every request sends this query.
  const statement = unscoped
    .select({ project: projects, token })
    .from(projects)
    .where(eq(projects.key, sql.placeholder('key')))
    .prepare('find_project')
  const findWithToken = async (
    key: string,
    hash: string | null,
  ): Promise<FoundProject | undefined> => {
    // PostgreSQL rejects strings with U+0000; no project has such a key.
    if (key.includes('\0')) return undefined
    const [row] = await statement.execute({ key, hash, now: now().toISOString() })
    return row && { project: complete(row.project), token: row.token ?? undefined }
  }
  return {
    find: async (key: string): Promise<Project | undefined> =>
      (await findWithToken(key, null))?.project,
    /** Finds a project and one of its tokens by the token's hash. */
    findWithToken,
    list: async (): Promise<readonly Project[]> => {
      const rows = await unscoped.select().from(projects).orderBy(projects.key)
      return rows.map(complete)
    },
    registers: async (origin: string): Promise<boolean> => {
      if (origin.includes('\0')) return false
      const isRegistered = sql`${origin} = any(${projects.origins})`
      return (await unscoped.$count(projects, isRegistered)) > 0
    },
  }
}

/** Rows written before a dialect member was added lack it. */
const complete = (row: Project): Project => ({ ...row, dialect: completeDialect(row.dialect) })

/** Changes columns of a project's row. */
export const updateProject = async (
  tables: Tables,
  { id }: Project,
  values: Partial<Project>,
): Promise<unknown> => tables.update(projects).set(values).where(eq(projects.id, id))
