import type { iam } from '@servicekit/contract'
import { and, arrayOverlaps, eq, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { contains, type PageRequest, readPage } from '../database/list-page.ts'
import type { Project } from '../database/project-directory.ts'
import type { Caller } from '../http/caller.ts'
import { Forbidden } from '../http/rejected-request.ts'
import { keepAdministrators } from './authority.ts'
import { readSettings, saveSettings } from './settings.ts'
import { defaultOrganizationId, toRecord } from './organizations.ts'
import { clients, memberships, organizations, permissions, roles } from '../database/tables.ts'
import type { User } from './users.ts'

/** Returns one page of the roles, with their numbers of users that the caller administers. */
export async function listRoles(
  tables: Tables,
  { search, slugs }: NonNullable<iam.RolesRequest['filter']>,
  { administered }: Pick<Caller, 'administered'>,
  page: PageRequest,
) {
  const where = and(
    contains(sql`concat_ws(' ', name, slug, description)`, search),
    slugs && slugs.length > 0 ? inArray(roles.slug, [...slugs]) : undefined,
  )
  const isCounted =
    administered === 'all'
      ? sql`true`
      : sql`m.organization_id = any(${sql.param([...administered])}::text[])`
  const count = sql<number>`(select count(distinct user_id)::int from servicekit.memberships m
    where roles.slug = any(m.roles) and ${isCounted})`
  const all = tables
    .select({ ...getTableColumns(roles), count })
    .from(roles)
    .$dynamic()
  const { createdDate, lastUpdatedDate, slug } = roles
  const sortable = { createdDate, lastUpdatedDate, slug, name: sql`lower(name)`, count }
  const { rows, totalCount } = await readPage(tables, all, roles, where, page, sortable)
  return { data: rows.map(toRecord), totalCount }
}

/** Returns one page of the permissions that match `filter` and that `holders` have. */
export async function listPermissions(
  tables: Tables,
  filter: Readonly<Record<string, unknown>>,
  holders: readonly string[],
  page: PageRequest,
) {
  const text = (name: string) => (typeof filter[name] === 'string' ? filter[name] : undefined)
  const equals = ['type', 'resource', 'resourceGroup', 'isBuiltIn', 'isArchived'] as const
  const where = and(
    contains(sql`concat_ws(' ', name, description, resource)`, text('search')),
    contains(permissions.name, text('name')),
    ...equals.map((name) => {
      const { dataType } = permissions[name]
      const value = filter[name]
      return typeof value === dataType && value !== ''
        ? sql`${permissions[name]} = ${value}`
        : undefined
    }),
    holders.length > 0 ? arrayOverlaps(permissions.roles, [...holders]) : undefined,
  )
  const all = tables.select().from(permissions).$dynamic()
  const { createdDate, lastUpdatedDate, type, resource } = permissions
  const sortable = { createdDate, lastUpdatedDate, type, resource, name: sql`lower(name)` }
  const { rows, totalCount } = await readPage(tables, all, permissions, where, page, sortable)
  return { data: rows.map(toRecord), totalCount }
}

/**
 * Returns the permissions of a user (section 2.3): those granted directly, and those of the user's
 * roles and their ancestors. A granted permission that is not registered has type 0.
 */
export async function permissionsOf(tables: Tables, { memberships }: User) {
  const names = [...new Set(memberships.flatMap((one) => one.permissions))]
  const slugs = memberships.flatMap((one) => one.roles)
  const held = sql`array(
    with recursive held(slug) as (
      select unnest(${sql.param(slugs)}::text[])
      union
      select unnest(r.ancestor_role_slugs) from servicekit.roles r join held on held.slug = r.slug
    ) select slug from held)`
  const { itemId, name, type, description, resource } = permissions
  const registered = await tables
    .select({ itemId, name, type, description, resource })
    .from(permissions)
    .where(
      and(
        eq(permissions.isArchived, false),
        or(inArray(name, names), sql`${permissions.roles} && ${held}`),
      ),
    )
    .orderBy(sql`${name} collate "C"`)
  const known = new Set(registered.map((one) => one.name))
  const unregistered = names
    .filter((one) => !known.has(one))
    .map((one) => ({ itemId: one, name: one, type: 0, description: null, resource: null }))
  return [...registered, ...unregistered]
}

interface RemovedRole {
  readonly project: Project
  readonly caller: Caller
  readonly slug: string
}

/**
 * Removes a role, also from users, machine clients, permissions, organizations, its descendants and
 * the settings.
 *
 * @returns whether there was such a role.
 * @throws Forbidden if the caller lacks the role, or an organization would lose its last
 * administrator.
 */
export async function removeRole(
  tables: Tables,
  { project, caller, slug }: RemovedRole,
): Promise<boolean> {
  if ((await tables.$count(roles, eq(roles.slug, slug))) === 0) return false
  const held = caller.roles.get(defaultOrganizationId(project))
  if (caller.grants !== 'all' && !held?.has(slug)) {
    throw new Forbidden(`The caller cannot remove the role ${slug} without having it.`)
  }
  const rest = { roles: sql`array_remove(roles, ${slug})` }
  return keepAdministrators(tables, caller, 'all', async () => {
    for (const table of [memberships, clients, permissions]) {
      await tables
        .update(table)
        .set(rest)
        .where(sql`${slug} = any(roles)`)
    }
    await tables
      .update(organizations)
      .set({ defaultRoleForMembers: sql`array_remove(default_roles, ${slug})` })
      .where(sql`${slug} = any(default_roles)`)
    const ancestorRoleSlugs = sql`array_remove(ancestor_role_slugs, ${slug})`
    await tables
      .update(roles)
      .set({ ancestorRoleSlugs })
      .where(sql`${slug} = any(ancestor_role_slugs)`)
    const { consoleRoles = {}, ...settings } = await readSettings(tables)
    if (Object.hasOwn(consoleRoles, slug)) {
      const { [slug]: _, ...others } = consoleRoles
      await saveSettings(tables, project.id, { ...settings, consoleRoles: others })
    }
    await tables.delete(roles).where(eq(roles.slug, slug))
    return true
  })
}
