import type { identity } from '@servicekit/contract/control'
import { eq, inArray, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tables } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import { memberships, organizations, permissions, roles } from '../database/tables.ts'
import { Conflict, Invalid } from '../domain-errors.ts'
import type { Caller } from '../http/caller.ts'
import { Forbidden } from '../http/rejected-request.ts'
import { heldPermissions } from './authority.ts'
import { defaultOrganizationId } from './organizations.ts'

interface Change {
  readonly project: Project
  readonly caller: Caller
}

interface SavedPermission extends Change {
  readonly name: string
  readonly permission: z.output<(typeof identity.savePermission)['body']>
  readonly itemId: string
  readonly now: Date
}

/** Returns what is in one of two lists only. */
const differenceOf = (a: readonly string[], b: readonly string[]): readonly string[] => [
  ...a.filter((one) => !b.includes(one)),
  ...b.filter((one) => !a.includes(one)),
]

/**
 * Creates or changes a permission. An administrator changes only permissions that they have, and
 * gives them to and takes them from roles that they have. Their administrator roles get a
 * permission that they create, so that they can grant it. The caller holds the project's lock.
 *
 * @throws Invalid, Conflict, Forbidden
 */
export async function savePermission(tables: Tables, saved: SavedPermission): Promise<void> {
  const { project, caller, name, permission, itemId, now } = saved
  const [known] = await tables.select().from(permissions).where(eq(permissions.name, name))
  const given = new Set(permission.roles)
  await rejectUnknownRoles(tables, [...given])
  if (caller.grants !== 'all') {
    const held = caller.roles.get(defaultOrganizationId(project)) ?? new Set()
    const missing = differenceOf([...given], known?.roles ?? []).find((slug) => !held.has(slug))
    if (missing !== undefined) {
      throw new Forbidden(
        `The caller cannot change the permissions of the role ${missing} without having it.`,
      )
    }
    if (known) await requirePermissions(tables, saved, [name])
    else await rejectUsed(tables, name)
    const own = known ? [] : caller.administratorRoles.filter((slug) => held.has(slug))
    for (const slug of own) given.add(slug)
  }
  const values = { ...permission, roles: [...given], lastUpdatedDate: now }
  await tables
    .insert(permissions)
    .values({ projectId: project.id, itemId, name, createdDate: now, ...values })
    .onConflictDoUpdate({ target: [permissions.projectId, permissions.name], set: values })
}

/** @throws Invalid */
export async function rejectUnknownRoles(tables: Tables, slugs: readonly string[]): Promise<void> {
  const found = await tables
    .select({ slug: roles.slug })
    .from(roles)
    .where(inArray(roles.slug, [...slugs]))
  const known = new Set(found.map(({ slug }) => slug))
  const unknown = slugs.find((slug) => !known.has(slug))
  if (unknown !== undefined) throw new Invalid(`There is no role ${unknown}.`)
}

/** Requires that the caller has permissions. @throws Forbidden */
async function requirePermissions(
  tables: Tables,
  { project, caller }: Change,
  names: readonly string[],
): Promise<void> {
  if (caller.grants === 'all' || names.length === 0) return
  const held = await heldPermissions(tables, caller, defaultOrganizationId(project))
  const missing = names.find((name) => !held.has(name))
  if (missing === undefined) return
  throw new Forbidden(`The caller cannot change the permission ${missing} without having it.`)
}

/** Rejects a new permission that somebody has already. @throws Conflict */
async function rejectUsed(tables: Tables, name: string): Promise<void> {
  const { rowCount } = await tables.execute(sql`
    select from servicekit.memberships where ${name} = any(permissions)
    union all select from servicekit.organizations where ${name} = any(default_permissions) limit 1`)
  if (rowCount === 0) return
  throw new Conflict(
    `Members or organizations refer to the permission ${name} already. Only the operator can create it.`,
  )
}

/**
 * Makes permissions those that a role gives. An administrator gives and takes only permissions that
 * they have.
 *
 * @throws Invalid, Forbidden
 */
export async function givePermissions(
  tables: Tables,
  change: Change,
  slug: string,
  names: readonly string[],
): Promise<void> {
  const all = await tables
    .select({ name: permissions.name, roles: permissions.roles })
    .from(permissions)
  const unknown = names.find((name) => !all.some((one) => one.name === name))
  if (unknown !== undefined) throw new Invalid(`There is no permission ${unknown}.`)
  const before = all.filter((one) => one.roles.includes(slug)).map(({ name }) => name)
  const changed = differenceOf(before, [...new Set(names)])
  await requirePermissions(tables, change, changed)
  await tables
    .update(permissions)
    .set({
      roles: sql`case when ${slug} = any(roles) then array_remove(roles, ${slug})
        else array_append(roles, ${slug}) end`,
    })
    .where(inArray(permissions.name, [...changed]))
}

/**
 * Removes a permission, also from users and organizations.
 *
 * @returns whether there was such a permission.
 * @throws Forbidden if the caller lacks it.
 */
export async function removePermission(
  tables: Tables,
  { name, ...change }: Change & { readonly name: string },
): Promise<boolean> {
  if ((await tables.$count(permissions, eq(permissions.name, name))) === 0) return false
  await requirePermissions(tables, change, [name])
  await tables
    .update(memberships)
    .set({ permissions: sql`array_remove(permissions, ${name})` })
    .where(sql`${name} = any(permissions)`)
  await tables
    .update(organizations)
    .set({ defaultPermissionsForMembers: sql`array_remove(default_permissions, ${name})` })
    .where(sql`${name} = any(default_permissions)`)
  await tables.delete(permissions).where(eq(permissions.name, name))
  return true
}
