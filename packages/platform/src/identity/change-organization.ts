import type { identity } from '@servicekit/contract/control'
import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tables } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import { clients, memberships, organizations, users } from '../database/tables.ts'
import { Conflict } from '../domain-errors.ts'
import type { Caller } from '../http/caller.ts'
import { requireAdministration, requireGrant } from './authority.ts'
import { defaultOrganizationId } from './organizations.ts'
import { rejectUnknownRoles } from './permissions.ts'

interface ChangedOrganization {
  readonly caller: Caller
  readonly id: string
  readonly organization: z.output<(typeof identity.changeOrganization)['body']>
  readonly now: Date
}

/**
 * Changes an organization. An administrator adds only roles and permissions for new members that
 * they have there.
 *
 * @returns whether there is such an organization.
 * @throws Invalid, Forbidden
 */
export async function changeOrganization(
  tables: Tables,
  { caller, id, organization, now }: ChangedOrganization,
): Promise<boolean> {
  const [known] = await tables.select().from(organizations).where(eq(organizations.itemId, id))
  if (!known) return false
  const { defaultRoleForMembers, defaultPermissionsForMembers } = organization
  const added = defaultRoleForMembers.filter((one) => !known.defaultRoleForMembers.includes(one))
  await rejectUnknownRoles(tables, added)
  await requireGrant(
    tables,
    caller,
    { organizationId: id, roles: defaultRoleForMembers, permissions: defaultPermissionsForMembers },
    [
      {
        organizationId: id,
        roles: known.defaultRoleForMembers,
        permissions: known.defaultPermissionsForMembers,
      },
    ],
  )
  await tables
    .update(organizations)
    .set({ ...organization, lastUpdatedDate: now, lastUpdatedBy: caller.id })
    .where(eq(organizations.itemId, id))
  return true
}

interface RemovedOrganization {
  readonly project: Project
  readonly caller: Caller
  readonly id: string
}

/**
 * Removes an organization, its memberships, and the right of clients to it. Users stay.
 *
 * @returns whether there was such an organization.
 * @throws Conflict for the default organization, Forbidden if the caller lacks the role of one of
 * its administrators.
 */
export async function removeOrganization(
  tables: Tables,
  { project, caller, id }: RemovedOrganization,
): Promise<boolean> {
  if (id === defaultOrganizationId(project)) {
    throw new Conflict('The default organization of a project cannot be removed.')
  }
  if ((await tables.$count(organizations, eq(organizations.itemId, id))) === 0) return false
  await requireAdministration(tables, caller, id)
  await tables.delete(memberships).where(eq(memberships.organizationId, id))
  await tables.update(users).set({ organizationId: null }).where(eq(users.organizationId, id))
  await tables
    .update(clients)
    .set({ organizations: sql`array_remove(organizations, ${id})` })
    .where(sql`${id} = any(organizations)`)
  await tables.delete(organizations).where(eq(organizations.itemId, id))
  return true
}
