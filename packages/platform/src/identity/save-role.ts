import type { identity, IdentityFile } from '@servicekit/contract/control'
import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tables } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import { roles } from '../database/tables.ts'
import { Conflict, Invalid } from '../domain-errors.ts'
import type { Caller } from '../http/caller.ts'
import { Forbidden } from '../http/rejected-request.ts'
import { keepAdministrators } from './authority.ts'
import { givePermissions } from './permissions.ts'
import { defaultOrganizationId } from './organizations.ts'
import { readAdministratorRoles, readSettings, saveSettings } from './settings.ts'

type Role = z.output<(typeof identity.saveRole)['body']>

interface SavedRole {
  readonly project: Project
  readonly caller: Caller
  readonly slug: string
  readonly role: Role
  readonly itemId: string
  readonly now: Date
}

/**
 * Creates or changes a role. An administrator adds only ancestors that they have. They get a role
 * that they create, so that they can grant it. The caller holds the project's lock.
 *
 * @throws Invalid, Conflict, Forbidden
 */
export async function saveRole(tables: Tables, saved: SavedRole): Promise<void> {
  const { project, caller, slug, role, itemId, now } = saved
  const { name, description, ancestorRoleSlugs } = role
  const all = await tables.select().from(roles)
  const known = all.find((one) => one.slug === slug)
  rejectAncestors(slug, ancestorRoleSlugs, all)
  const held = caller.roles.get(defaultOrganizationId(project)) ?? new Set()
  if (caller.grants !== 'all') {
    const added = ancestorRoleSlugs.filter((one) => !known?.ancestorRoleSlugs.includes(one))
    const missing = added.find((one) => !held.has(one))
    if (missing !== undefined) {
      throw new Forbidden(`The caller cannot add the role ${missing} without having it.`)
    }
    if (!known) await rejectUsed(tables, slug)
  }
  await keepAdministrators(tables, caller, 'all', async () => {
    const values = { name, description, ancestorRoleSlugs: [...new Set(ancestorRoleSlugs)] }
    await tables
      .insert(roles)
      .values({
        projectId: project.id,
        itemId,
        slug,
        createdDate: now,
        lastUpdatedDate: now,
        ...values,
      })
      .onConflictDoUpdate({
        target: [roles.projectId, roles.slug],
        set: { ...values, lastUpdatedDate: now },
      })
    if (!known && caller.grants !== 'all') await giveToAdministrators(tables, held, slug)
  })
  if (role.permissions) await givePermissions(tables, { project, caller }, slug, role.permissions)
  await saveConsoleRole(tables, project.id, slug, role.consoleRole)
}

/** @throws Invalid */
function rejectAncestors(
  slug: string,
  ancestors: readonly string[],
  all: readonly { readonly slug: string; readonly ancestorRoleSlugs: readonly string[] }[],
): void {
  const bySlug = new Map(all.map((one) => [one.slug, one.ancestorRoleSlugs]))
  const unknown = ancestors.find((one) => !bySlug.has(one))
  if (unknown !== undefined) throw new Invalid(`There is no role ${unknown}.`)
  const inherited = new Set(ancestors)
  // A set also visits what is added while it is iterated.
  for (const one of inherited) for (const next of bySlug.get(one) ?? []) inherited.add(next)
  if (inherited.has(slug)) throw new Invalid(`The role ${slug} would be its own ancestor.`)
}

/** Rejects a new role that something grants rights to already. @throws Conflict */
async function rejectUsed(tables: Tables, slug: string): Promise<void> {
  const { rowCount } = await tables.execute(sql`
    select from servicekit.permissions where ${slug} = any(roles)
    union all select from servicekit.memberships where ${slug} = any(roles)
    union all select from servicekit.organizations where ${slug} = any(default_roles)
    union all select from servicekit.clients where ${slug} = any(roles) limit 1`)
  const isAdministrators = (await readAdministratorRoles(tables)).includes(slug)
  if (rowCount === 0 && !isAdministrators) return
  throw new Conflict(
    `Permissions, members, organizations or clients refer to the role ${slug} already. Only the operator can create it.`,
  )
}

/** Makes a role an ancestor of the administrator roles that a caller has. */
async function giveToAdministrators(
  tables: Tables,
  held: ReadonlySet<string>,
  slug: string,
): Promise<void> {
  for (const one of await readAdministratorRoles(tables)) {
    if (!held.has(one)) continue
    await tables
      .update(roles)
      .set({ ancestorRoleSlugs: sql`array_append(ancestor_role_slugs, ${slug})` })
      .where(eq(roles.slug, one))
  }
}

type ConsoleRoles = NonNullable<NonNullable<IdentityFile['settings']>['consoleRoles']>

async function saveConsoleRole(
  tables: Tables,
  projectId: number,
  slug: string,
  consoleRole: Role['consoleRole'],
): Promise<void> {
  const settings = await readSettings(tables)
  const others = Object.entries(settings.consoleRoles ?? {}).filter(([one]) => one !== slug)
  const consoleRoles: ConsoleRoles = Object.fromEntries([
    ...others,
    ...(consoleRole ? [[slug, consoleRole] as const] : []),
  ])
  await saveSettings(tables, projectId, { ...settings, consoleRoles })
}
