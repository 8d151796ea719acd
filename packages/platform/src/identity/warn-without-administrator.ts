import { sql } from 'drizzle-orm'
import type { Services } from '../services.ts'
import { administratorSlugs } from './authority.ts'
import { defaultOrganizationId } from './organizations.ts'
import { readAdministratorRoles } from './settings.ts'

/** Returns a warning for each loaded project without an administrator. */
export async function warnWithoutAdministrator({
  database,
  projects,
  sources,
}: Pick<Services, 'database' | 'projects' | 'sources'>): Promise<readonly string[]> {
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
