import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Caller } from './caller.ts'
import { type Instant, type PageRequest, pageSql, readInstant } from './page-sql.ts'

/** Returns the id of a project's default organization. */
export const defaultOrganizationId = ({ organizationId }: Project): string =>
  organizationId || 'default'

/**
 * Resolves an organization id of a request; absent or `default` means the default
 * organization.
 */
export const organizationIdOf = (project: Project, given: string | null | undefined): string =>
  !given || given === 'default' ? defaultOrganizationId(project) : given

/** Creates the default organization of a project if it does not exist. */
export const ensureDefaultOrganization = (
  tables: Tables,
  project: Project,
  now: Date,
): Promise<unknown> =>
  tables.execute(sql`
    insert into servicekit.organizations
      (project_id, item_id, created_date, last_updated_date, name)
    values (${project.id}, ${defaultOrganizationId(project)}, ${now}, ${now}, ${project.name})
    on conflict do nothing`)

interface Row extends Record<string, unknown> {
  item_id: string
  created_date: Instant
  last_updated_date: Instant
  created_by: string | null
  name: string
  description: string | null
  is_disabled: boolean
  default_roles: string[]
  default_permissions: string[]
  created_from: number
  attributes: Record<string, unknown>
}

const columns = { name: 'name', createdDate: 'created_date', lastUpdatedDate: 'last_updated_date' }

/** Returns one page of the caller's organizations. */
export function listOrganizations(
  database: Database,
  project: Project,
  caller: Pick<Caller, 'administered' | 'roles'>,
  page: PageRequest,
  now: Date,
) {
  return database.scoped(project.id, async (tables) => {
    await ensureDefaultOrganization(tables, project, now)
    const ids = caller.roles.size > 0 ? [...caller.roles.keys()] : [defaultOrganizationId(project)]
    const where =
      caller.administered === 'all' ? sql`true` : sql`item_id = any(${sql.param(ids)}::text[])`
    const { rows } = await tables.execute<Row>(sql`
      select * from servicekit.organizations where ${where} ${pageSql(page, columns)}`)
    const total = await tables.execute<{ n: number }>(sql`
      select count(*)::int as n from servicekit.organizations where ${where}`)
    return { organizations: rows.map(toOrganization), totalCount: total.rows[0]!.n }
  })
}

/** Input for creating an organization. */
export interface NewOrganization {
  readonly itemId: string
  readonly name: string
  readonly description?: string | null | undefined
  readonly defaultRoleForMembers?: readonly string[] | null | undefined
  readonly defaultPermissionsForMembers?: readonly string[] | null | undefined
  readonly createdFrom?: number | null | undefined
}

/** Inserts or updates an organization. */
export const saveOrganization = (
  tables: Tables,
  projectId: number,
  one: NewOrganization,
  now: Date,
  createdBy: string | null = null,
): Promise<unknown> =>
  tables.execute(sql`
    insert into servicekit.organizations (project_id, item_id, created_date, last_updated_date,
      created_by, name, description, default_roles, default_permissions, created_from)
    values (${projectId}, ${one.itemId}, ${now}, ${now}, ${createdBy}, ${one.name},
      ${one.description ?? null}, ${sql.param(one.defaultRoleForMembers ?? [])},
      ${sql.param(one.defaultPermissionsForMembers ?? [])}, ${one.createdFrom ?? 0})
    on conflict (project_id, item_id) do update set name = excluded.name,
      description = excluded.description, default_roles = excluded.default_roles,
      default_permissions = excluded.default_permissions, created_from = excluded.created_from`)

/**
 * Returns the initial roles and permissions of members of an organization; undefined if
 * it does not exist or is disabled.
 */
export async function memberDefaults(tables: Tables, id: string) {
  const { rows } = await tables.execute<Row>(sql`
    select * from servicekit.organizations where item_id = ${id} and not is_disabled`)
  const row = rows[0]
  return row && { roles: row.default_roles, permissions: row.default_permissions }
}

const toOrganization = (row: Row) => ({
  itemId: row.item_id,
  createdDate: readInstant(row.created_date),
  lastUpdatedDate: readInstant(row.last_updated_date),
  createdBy: row.created_by,
  lastUpdatedBy: row.created_by,
  language: null,
  organizationId: row.item_id,
  tags: [],
  name: row.name,
  description: row.description,
  parentOrganizationId: null,
  isDisabled: row.is_disabled,
  defaultRoleForMembers: row.default_roles,
  defaultPermissionsForMembers: row.default_permissions,
  createdFrom: row.created_from,
  attributes: row.attributes,
})
