import { eq, sql } from 'drizzle-orm'
import type { KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { defaultOrganizationId } from './organizations.ts'
import { clients } from './tables.ts'

/**
 * Returns the organization of a machine's token, from `org_id` of the request; `default`
 * means the project's default organization (section 4.1).
 */
export async function organizationOfToken(
  database: Database,
  project: Project,
  context: KoaContextWithOIDC,
  invalid: (text: string) => Error,
): Promise<{ org_id: string }> {
  const given = context.oidc.body?.['org_id']
  if (typeof given !== 'string' || given === '') throw invalid('org_id is missing')
  const id = given === 'default' ? defaultOrganizationId(project) : given
  const clientId = context.oidc.client!.clientId
  const isAllowed = await database.scoped(project.id, async (tables) => {
    const [client] = await tables.select().from(clients).where(eq(clients.clientId, clientId))
    if (client?.organizations && !client.organizations.includes(id)) return false
    if (id === defaultOrganizationId(project)) return true
    const { rowCount } = await tables.execute(sql`
      select 1 from servicekit.organizations where item_id = ${id} and not is_disabled`)
    return rowCount === 1
  })
  if (!isAllowed) throw invalid('org_id is not an organization of this client')
  return { org_id: id }
}
