import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import {
  allOf,
  contains,
  type Instant,
  type PageRequest,
  pageSql,
  readInstant,
} from './page-sql.ts'
import type { Caller } from './caller.ts'
import type { UserRow } from './user-record.ts'

interface Stored extends Record<string, unknown> {
  readonly item_id: string
  readonly created_date: Instant
  readonly last_updated_date: Instant
  readonly created_by: string | null
  readonly last_updated_by: string | null
}

interface RoleRow extends Stored {
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly ancestor_role_slugs: readonly string[]
  readonly count: number
}

interface PermissionRow extends Stored {
  readonly name: string
  readonly type: number
  readonly description: string | null
  readonly resource: string | null
  readonly resource_group: string | null
  readonly is_built_in: boolean
  readonly is_archived: boolean
  readonly roles: readonly string[]
}

const stored = (row: Stored) => ({
  itemId: row.item_id,
  createdDate: readInstant(row.created_date),
  lastUpdatedDate: readInstant(row.last_updated_date),
  createdBy: row.created_by,
  lastUpdatedBy: row.last_updated_by,
  language: null,
  organizationId: null,
  tags: [],
})

const dates = { createdDate: 'created_date', lastUpdatedDate: 'last_updated_date' }

/**
 * Returns one page of the roles, each with its number of users in the organizations that
 * the caller administers.
 */
export async function listRoles(
  tables: Tables,
  filter: {
    readonly search?: string | null | undefined
    readonly slugs?: readonly string[] | null | undefined
  },
  { administered }: Pick<Caller, 'administered'>,
  page: PageRequest,
) {
  const where = allOf([
    contains(sql`concat_ws(' ', name, slug, description)`, filter.search),
    filter.slugs && filter.slugs.length > 0
      ? sql`slug = any(${sql.param(filter.slugs)}::text[])`
      : undefined,
  ])
  const isCounted =
    administered === 'all'
      ? sql`true`
      : sql`m.organization_id = any(${sql.param([...administered])}::text[])`
  const columns = { ...dates, name: 'lower(name)', slug: 'slug', count: 'count' }
  const { rows } = await tables.execute<RoleRow>(sql`
    select * from (select r.*, (
      select count(distinct user_id)::int from servicekit.memberships m
        where r.slug = any(m.roles) and ${isCounted}
    ) as count from servicekit.roles r) as counted where ${where} ${pageSql(page, columns)}`)
  const total = await tables.execute<{ n: number }>(
    sql`select count(*)::int as n from servicekit.roles where ${where}`,
  )
  const data = rows.map((row) => ({
    ...stored(row),
    name: row.name,
    slug: row.slug,
    description: row.description,
    ancestorRoleSlugs: row.ancestor_role_slugs,
    count: row.count,
  }))
  return { data, totalCount: total.rows[0]!.n }
}

/** Filter of the permission list; unknown members are ignored. */
export interface PermissionFilter {
  readonly filter: Readonly<Record<string, unknown>>
  /** Only permissions held by these roles. */
  readonly roles: readonly string[]
}

/** Returns one page of the permissions. */
export async function listPermissions(
  tables: Tables,
  { filter, roles }: PermissionFilter,
  page: PageRequest,
) {
  const text = (name: string) => (typeof filter[name] === 'string' ? filter[name] : undefined)
  const flag = (name: string) => (typeof filter[name] === 'boolean' ? filter[name] : undefined)
  const { type } = filter
  const where = allOf([
    contains(sql`concat_ws(' ', name, description, resource)`, text('search')),
    contains(sql`name`, text('name')),
    typeof type === 'number' ? sql`type = ${type}` : undefined,
    text('resource') ? sql`resource = ${text('resource')}` : undefined,
    text('resourceGroup') ? sql`resource_group = ${text('resourceGroup')}` : undefined,
    flag('isBuiltIn') === undefined ? undefined : sql`is_built_in = ${flag('isBuiltIn')}`,
    flag('isArchived') === undefined ? undefined : sql`is_archived = ${flag('isArchived')}`,
    roles.length > 0 ? sql`roles && ${sql.param(roles)}::text[]` : undefined,
  ])
  const columns = { ...dates, name: 'lower(name)', type: 'type', resource: 'resource' }
  const { rows } = await tables.execute<PermissionRow>(
    sql`select * from servicekit.permissions where ${where} ${pageSql(page, columns)}`,
  )
  const total = await tables.execute<{ n: number }>(
    sql`select count(*)::int as n from servicekit.permissions where ${where}`,
  )
  const data = rows.map((row) => ({
    ...stored(row),
    ...ofAccount(row),
    resourceGroup: row.resource_group,
    isBuiltIn: row.is_built_in,
    isArchived: row.is_archived,
    roles: row.roles,
  }))
  return { data, totalCount: total.rows[0]!.n }
}

const ofAccount = (row: PermissionRow) => ({
  itemId: row.item_id,
  name: row.name,
  type: row.type,
  description: row.description,
  resource: row.resource,
})

/**
 * Returns the permissions of a user (section 2.3): those granted directly, and those of
 * the user's roles and their ancestors. A granted permission that is not registered has
 * type 0.
 */
export async function permissionsOf(tables: Tables, { memberships }: UserRow) {
  const names = [...new Set(memberships.flatMap(({ permissions }) => permissions))]
  const slugs = memberships.flatMap(({ roles }) => roles)
  const { rows } = await tables.execute<PermissionRow>(sql`
    with recursive held(slug) as (
      select unnest(${sql.param(slugs)}::text[])
      union
      select unnest(r.ancestor_role_slugs) from servicekit.roles r join held on held.slug = r.slug
    )
    select * from servicekit.permissions
    where not is_archived
      and (name = any(${sql.param(names)}::text[]) or roles && array(select slug from held))
    order by name collate "C"`)
  const known = new Set(rows.map(({ name }) => name))
  const unregistered = names
    .filter((name) => !known.has(name))
    .map((name) => ({ itemId: name, name, type: 0, description: null, resource: null }))
  return [...rows.map(ofAccount), ...unregistered]
}
