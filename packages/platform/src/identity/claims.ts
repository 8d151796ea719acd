import { eq } from 'drizzle-orm'
import type { Account, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { defaultOrganizationId, memberDefaults } from './organizations.ts'
import { clients } from './tables.ts'
import { displayNameOf, findUser } from './users.ts'

/** Claims of users by scope. */
export const claimsByScope: Record<string, string[]> = {
  openid: ['sub', 'org_id'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'picture'],
}

/** Returns the account with an id, if it is active. */
export async function findAccount(
  database: Database,
  project: Project,
  id: string,
): Promise<Account | undefined> {
  const user = await database.scoped(project.id, (tables) => findUser(tables, id))
  if (!user?.active) return undefined
  const claims = {
    org_id: user.organizationId,
    email: user.email,
    email_verified: user.isVerified,
    name: displayNameOf(user),
    given_name: user.firstName,
    family_name: user.lastName,
    preferred_username: user.userName,
    locale: user.language,
    picture: user.profileImageUrl,
  }
  const known = Object.entries(claims).filter(([, value]) => value !== null)
  return { accountId: id, claims: () => ({ sub: id, ...Object.fromEntries(known) }) }
}

/**
 * Returns the organization of a machine's token, from `org_id` of the request; `default`
 * means the project's default organization (section 4.1).
 *
 * @param invalid creates the error for a missing organization, or one of other clients.
 */
export async function organizationOfToken(
  database: Database,
  project: Project,
  { oidc }: KoaContextWithOIDC,
  invalid: (description: string) => Error,
): Promise<{ org_id: string }> {
  const given = oidc.body?.['org_id']
  if (typeof given !== 'string' || given === '') throw invalid('org_id is missing')
  const home = defaultOrganizationId(project)
  const id = given === 'default' ? home : given
  const isAllowed = await database.scoped(project.id, async (tables) => {
    const isClient = eq(clients.clientId, oidc.client!.clientId)
    const [client] = await tables.select().from(clients).where(isClient)
    if (client?.organizations && !client.organizations.includes(id)) return false
    return id === home || (await memberDefaults(tables, id)) !== undefined
  })
  if (!isAllowed) throw invalid('org_id is not an organization of this client')
  return { org_id: id }
}
