import { sql } from 'drizzle-orm'
import type { Account } from 'oidc-provider'
import type { Database } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'

/** Claims by scope. */
export const accountClaims = {
  openid: ['sub', 'org_id'],
  email: ['email', 'email_verified'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username', 'locale', 'picture'],
} as const satisfies Record<string, readonly string[]> as unknown as Record<string, string[]>

type Row = Record<
  'email' | 'user_name' | 'first_name' | 'last_name' | 'language' | 'profile_image_url' | 'org',
  string | null
> & { is_verified: boolean }

/** Returns the account with an id, if it is active. */
export async function findAccount(
  database: Database,
  project: Project,
  id: string,
): Promise<Account | undefined> {
  const row = await database.scoped(project.id, async (tables) => {
    const { rows } = await tables.execute<Row>(sql`
      select email, user_name, first_name, last_name, language, profile_image_url, is_verified,
        organization_id as org
      from servicekit.users where item_id = ${id} and active`)
    return rows[0]
  })
  if (!row) return undefined
  const name = [row.first_name, row.last_name].filter(Boolean).join(' ')
  const claims = {
    sub: id,
    org_id: row.org,
    email: row.email,
    email_verified: row.is_verified,
    name: name || row.user_name,
    given_name: row.first_name,
    family_name: row.last_name,
    preferred_username: row.user_name,
    locale: row.language,
    picture: row.profile_image_url,
  }
  const known = Object.entries(claims).filter(([, value]) => value !== null)
  return { accountId: id, claims: () => ({ sub: id, ...Object.fromEntries(known) }) }
}
