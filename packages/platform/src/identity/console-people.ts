import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import { roles } from '../database/tables.ts'
import type { Caller } from '../http/caller.ts'
import { consoleRolesOf, withAncestors } from './authenticate.ts'
import { defaultOrganizationId } from './organizations.ts'
import { defaultAdministratorRoles, readSettings } from './settings.ts'
import { displayName } from './users.ts'

/** Active user who may use the console, with the rights there. */
export interface ConsolePerson extends Pick<Caller, 'administered' | 'consoleRoles'> {
  readonly id: string
  readonly name: string
  readonly email: string
}

const maxPeople = 1000

/** Reads the active administrators of a project and its members with a role for the console. */
export async function readConsolePeople(
  tables: Tables,
  project: Project,
): Promise<readonly ConsolePerson[]> {
  const { administratorRoles = defaultAdministratorRoles, consoleRoles = {} } =
    await readSettings(tables)
  const known = await tables
    .select({ slug: roles.slug, ancestors: roles.ancestorRoleSlugs })
    .from(roles)
  const ancestors = new Map(known.map((role) => [role.slug, role.ancestors]))
  const isGranting = (slug: string): boolean =>
    administratorRoles.includes(slug) || Object.hasOwn(consoleRoles, slug)
  const granting = [
    ...ancestors.keys(),
    ...administratorRoles,
    ...Object.keys(consoleRoles),
  ].filter((slug) => [...withAncestors([slug], ancestors)].some(isGranting))
  const { rows } = await tables.execute<Row>(sql`
    select u.item_id as id, ${displayName(sql`u`)} as name, u.email, m.roles
    from servicekit.memberships m join servicekit.users u on u.item_id = m.user_id and u.active
    where m.organization_id = ${defaultOrganizationId(project)}
      and m.roles && ${sql.param(granting)}::text[]
    order by ${displayName(sql`u`)} collate "C", id limit ${maxPeople}`)
  return rows.map(({ id, name, email, roles: slugs }) => {
    const held = withAncestors(slugs, ancestors)
    const isAdministrator = administratorRoles.some((slug) => held.has(slug))
    const administered = isAdministrator ? 'all' : new Set<string>()
    return { id, name, email, administered, consoleRoles: consoleRolesOf(consoleRoles, held) }
  })
}

interface Row extends Record<string, unknown> {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly roles: readonly string[]
}
