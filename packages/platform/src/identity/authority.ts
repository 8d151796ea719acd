import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { PageRequest } from '../database/list-page.ts'
import type { Call } from '../http/mount.ts'
import { Forbidden } from '../http/rejected-request.ts'
import { success } from '../http/responses.ts'
import type { Project } from '../database/project-directory.ts'
import { type Caller, administers } from '../http/caller.ts'
import { defaultOrganizationId, organizationIdOf } from './organizations.ts'
import { readAdministratorRoles } from './settings.ts'
import {
  type Membership,
  type User,
  type UserFilter,
  displayNameOf,
  isMemberOf,
  listUsers,
} from './users.ts'
import type { Services } from '../services.ts'

/** Returns the organizations of a user: the default one without memberships. */
export const organizationsOf = (project: Project, { memberships }: User): readonly string[] =>
  memberships.length > 0
    ? memberships.map(({ organizationId }) => organizationId)
    : [defaultOrganizationId(project)]

/** Limits `users` to the organizations that the caller administers; undefined means all. */
function administeredUsers(project: Project, { administered }: Caller): SQL | undefined {
  if (administered === 'all') return undefined
  const isMember = isMemberOf([...administered])
  if (!administered.has(defaultOrganizationId(project))) return isMember
  const isNoMember = sql`not exists (select from servicekit.memberships m
    where m.user_id = users.item_id)`
  return sql`(${isMember} or ${isNoMember})`
}

/** Hides organizations that the caller does not administer, except from the user itself. */
export const visibleTo = (caller: Caller, user: User): User =>
  caller.userId === user.itemId
    ? user
    : {
        ...user,
        organizationId:
          user.organizationId !== null && administers(caller, user.organizationId)
            ? user.organizationId
            : null,
        memberships: user.memberships.filter(({ organizationId }) =>
          administers(caller, organizationId),
        ),
      }

/** Lists the users of the organizations that the caller administers, as records. */
export async function listVisible(
  { project, caller, snapshot }: Pick<Call, 'project' | 'snapshot'> & { readonly caller: Caller },
  { organizationId, ...filter }: Omit<UserFilter, 'visible'>,
  page: PageRequest,
  toRecord: (user: User) => unknown,
): Promise<Response> {
  const within = organizationId && organizationIdOf(project, organizationId)
  // Who belongs to a foreign organization is not visible either.
  if (within && !administers(caller, within)) return success({ data: [], totalCount: 0 })
  const wanted = {
    ...filter,
    organizationId: within,
    visible: administeredUsers(project, caller),
  }
  const { rows, totalCount } = await snapshot((tables) => listUsers(tables, wanted, page))
  return success({ data: rows.map((user) => toRecord(visibleTo(caller, user))), totalCount })
}

/** Requires that the caller administers some or every organization of a user. @throws Forbidden */
export function requireAuthority(
  caller: Caller,
  project: Project,
  user: User,
  extent: 'some' | 'every',
): void {
  if (organizationsOf(project, user)[extent]((id) => administers(caller, id))) return
  const organizations = extent === 'some' ? 'an organization' : 'every organization'
  throw new Forbidden(`Only an administrator of ${organizations} of this user may do this.`)
}

export function requireAdministrator(caller: Caller, organizationId: string): void {
  if (administers(caller, organizationId)) return
  throw new Forbidden(`Only an administrator of the organization ${organizationId} may do this.`)
}

/** Requires that users do not change a member of their own account. @throws Forbidden */
export function requireOther({ userId, grants }: Caller, itemId: string, member: string): void {
  if (userId !== itemId || grants === 'all') return
  throw new Forbidden(`Users cannot change ${member} of their own account.`)
}

/**
 * Requires that the caller administers the organization, and has each role and permission
 * that the membership adds to the user's existing ones there.
 *
 * @throws Forbidden
 */
export async function requireGrant(
  tables: Tables,
  caller: Caller,
  { organizationId, roles, permissions }: Membership,
  before: readonly Membership[] = [],
): Promise<void> {
  requireAdministrator(caller, organizationId)
  if (caller.grants === 'all') return
  const has = before.find((one) => one.organizationId === organizationId)
  const newRoles = roles.filter((slug) => !has?.roles.includes(slug))
  const newPermissions = permissions.filter((name) => !has?.permissions.includes(name))
  const held = caller.roles.get(organizationId) ?? new Set()
  const missingRole = newRoles.find((slug) => !held.has(slug))
  if (missingRole !== undefined) {
    throw new Forbidden(`The caller cannot grant the role ${missingRole} without having it.`)
  }
  if (newPermissions.length === 0) return
  const own = await heldPermissions(tables, caller, organizationId)
  const missing = newPermissions.find((name) => !own.has(name))
  if (missing === undefined) return
  throw new Forbidden(`The caller cannot grant the permission ${missing} without having it.`)
}

/** Returns the names of the permissions that a user has in an organization. */
export async function heldPermissions(
  tables: Tables,
  { userId = '', roles }: Caller,
  organizationId: string,
): Promise<ReadonlySet<string>> {
  const held = [...(roles.get(organizationId) ?? [])]
  const { rows } = await tables.execute<{ name: string }>(sql`
    select unnest(permissions) as name from servicekit.memberships
      where user_id = ${userId} and organization_id = ${organizationId}
    union
    select name from servicekit.permissions
      where not is_archived and roles && ${sql.param(held)}::text[]`)
  return new Set(rows.map(({ name }) => name))
}

/** Returns the administrator roles: those of the settings, and their descendants. */
const administratorSlugs = (roles: readonly string[]): SQL => sql`array(
  with recursive administrator(slug) as (
    select unnest(${sql.param([...roles])}::text[])
    union
    select r.slug from servicekit.roles r join administrator a
      on a.slug = any(r.ancestor_role_slugs)
  ) select slug from administrator)`

/** Role of an active user that makes the user an administrator of an organization. */
interface Administration extends Record<string, unknown> {
  readonly organization: string
  readonly user: string
  readonly role: string
}

async function listAdministrations(tables: Tables, where: SQL): Promise<readonly Administration[]> {
  const slugs = administratorSlugs(await readAdministratorRoles(tables))
  const { rows } = await tables.execute<Administration>(sql`
    select m.organization_id as organization, m.user_id as user, role
    from servicekit.memberships m
    join servicekit.users u on u.item_id = m.user_id and u.active
    cross join unnest(m.roles) role
    where ${where} and role = any(${slugs})`)
  return rows
}

/**
 * Runs a change that may remove administrators. Rejects it if an organization would lose its last
 * active one, or if somebody else would lose an administrator role that the caller does not have.
 * Locks the memberships of administrators, so that concurrent changes are serialized.
 *
 * @param organizationIds organizations that the change concerns.
 * @throws Forbidden
 */
export async function keepAdministrators<T>(
  tables: Tables,
  caller: Caller,
  organizationIds: readonly string[] | 'all',
  change: () => Promise<T>,
): Promise<T> {
  const where =
    organizationIds === 'all'
      ? sql`true`
      : sql`m.organization_id = any(${sql.param([...organizationIds])}::text[])`
  const slugs = administratorSlugs(await readAdministratorRoles(tables))
  await tables.execute(sql`select from servicekit.memberships m where ${where}
    and m.roles && ${slugs} order by m.organization_id, m.user_id for update`)
  const before = await listAdministrations(tables, where)
  const result = await change()
  const after = await listAdministrations(tables, where)
  const keys = new Set(after.map(keyOf))
  requireHeld(
    caller,
    before.filter((one) => !keys.has(keyOf(one))),
  )
  const administered = new Set(after.map(({ organization }) => organization))
  const lost = before.find(({ organization }) => !administered.has(organization))
  if (!lost) return result
  throw new Forbidden(
    `The organization ${lost.organization} would have no administrator. Give another user the role first.`,
  )
}

/** Requires that the caller has the administrator roles that are taken away. @throws Forbidden */
function requireHeld(caller: Caller, lost: readonly Administration[]): void {
  if (caller.grants === 'all') return
  const demoted = lost.find(({ organization, role }) => !caller.roles.get(organization)?.has(role))
  if (!demoted) return
  throw new Forbidden(`The caller cannot take away the role ${demoted.role} without having it.`)
}

/**
 * Requires that the caller has the role of every administrator of an organization, which is to be
 * removed.
 *
 * @throws Forbidden
 */
export async function requireAdministration(
  tables: Tables,
  caller: Caller,
  organizationId: string,
): Promise<void> {
  requireHeld(caller, await listAdministrations(tables, sql`m.organization_id = ${organizationId}`))
}

const keyOf = ({ organization, user, role }: Administration): string =>
  JSON.stringify([organization, user, role])

/** Returns the display names of the active administrators of an organization. */
export async function readAdministratorNames(
  tables: Tables,
  organizationId: string,
): Promise<readonly string[]> {
  const slugs = administratorSlugs(await readAdministratorRoles(tables))
  const { rows } = await tables.execute<Parameters<typeof displayNameOf>[0]>(sql`
    select u.first_name as "firstName", u.last_name as "lastName", u.user_name as "userName"
    from servicekit.users u join servicekit.memberships m on m.user_id = u.item_id
    where u.active and m.organization_id = ${organizationId} and m.roles && ${slugs}
    order by u.item_id limit 10`)
  return rows.map(displayNameOf)
}

/** Returns a warning for each loaded project without an administrator. */
export async function warnWithoutAdministrator(services: Services): Promise<readonly string[]> {
  const { database, projects, sources } = services
  const warnings: string[] = []
  for (const key of sources.keys()) {
    const project = await projects.find(key)
    if (!project) continue
    const id = defaultOrganizationId(project)
    const roles = await database.scoped(project.id, async (tables) => {
      const administratorRoles = await readAdministratorRoles(tables)
      const slugs = administratorSlugs(administratorRoles)
      const { rowCount } = await tables.execute(sql`
        select from servicekit.memberships m
          join servicekit.users u on u.item_id = m.user_id and u.active
          where m.organization_id = ${id} and m.roles && ${slugs}
        union all
        select from servicekit.clients c where c.roles && ${slugs}
          and c.secret_hash is not null and coalesce(${id} = any(c.organizations), true)`)
      return rowCount === 0 ? administratorRoles : undefined
    })
    if (roles === undefined) continue
    const names = roles.length === 0 ? 'of administratorRoles (there are none)' : roles.join(' or ')
    warnings.push(
      `Project ${key} has no administrator: nobody can manage its users, webhook, tutorials and knowledge base. Give a user or a machine client the role ${names} in identity.json, or start with --open for development.`,
    )
  }
  return warnings
}
