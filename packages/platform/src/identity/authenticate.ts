import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { RejectedRequest } from '../http/rejected-request.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Authenticate, Caller } from './caller.ts'
import { projectCookies } from './cookies.ts'
import { requireRegisteredPage } from '../http/cors.ts'
import { hashSecret } from './secrets.ts'
import { defaultAdministratorRoles, type IdentitySettings } from './settings.ts'

interface Row extends Record<string, unknown> {
  readonly client_id: string
  readonly account_id: string | null
  readonly org_id: string | null
  readonly session_organization: string | null
  readonly has_session: boolean
  /** Roles by organization, including ancestor roles. */
  readonly roles: Readonly<Record<string, readonly string[]>>
  readonly settings: IdentitySettings | null
}

/**
 * Selects a token with the roles of its owner. A machine's token becomes invalid when its
 * client is removed, or loses access to the organization.
 */
const select = (hash: string, now: Date): SQL => sql`
  with recursive token as (
    select t.payload ->> 'clientId' as client_id, t.account_id,
      t.payload -> 'extra' ->> 'org_id' as org_id, c.roles as client_roles,
      s.organization_id as session_organization, s.hash is not null as has_session
    from servicekit.oidc_states t
    left join servicekit.sessions s on s.grant_id = t.grant_id and s.revoked_at is null
      and s.idle_expires_at > ${now} and s.absolute_expires_at > ${now}
    left join servicekit.users u on u.item_id = t.account_id
    left join servicekit.clients c on t.account_id is null
      and c.client_id = t.payload ->> 'clientId' and (c.organizations is null
        or t.payload -> 'extra' ->> 'org_id' = any(c.organizations))
    where t.kind in ('AccessToken', 'ClientCredentials') and t.hash = ${hash}
      and t.expires_at > ${now} and coalesce(u.active, c.client_id is not null)
  ), given(organization_id, slugs) as (
    select m.organization_id, m.roles from token
      join servicekit.memberships m on m.user_id = token.account_id
    union all
    select org_id, client_roles from token where account_id is null
  ), held(organization_id, slug) as (
    select organization_id, unnest(slugs) from given
    union
    select held.organization_id, unnest(r.ancestor_role_slugs) from held
      join servicekit.roles r on r.slug = held.slug
  )
  select client_id, account_id, org_id, session_organization, has_session,
    (select coalesce(json_object_agg(organization_id,
      array(select slug from held where held.organization_id = given.organization_id)), '{}')
      from given) as roles,
    (select value from servicekit.secrets where name = 'settings') as settings
  from token`

const unauthenticated = (error: string, message: string): RejectedRequest =>
  new RejectedRequest({ reason: 'unauthenticated', error, message })

/** Creates the authentication function. It runs one query per request. */
export function createAuthenticate(database: Database, options: ResolvedOptions): Authenticate {
  const find = async (project: Project, token: string): Promise<Row | undefined> => {
    const { rows } = await database.scoped(
      project.id,
      (tables) => tables.execute<Row>(select(hashSecret(token), options.now())),
      { isReadOnly: true },
    )
    return rows[0]
  }

  return async (project, request, proof) => {
    if (proof === 'bearer') {
      const [, token] =
        /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '') ?? []
      if (token === undefined) {
        throw unauthenticated('invalid_token', 'The Authorization header has no bearer token.')
      }
      const row = await find(project, token)
      if (row) return callerOf(row)
      throw unauthenticated('invalid_token', 'The token is invalid or has expired.')
    }
    requireRegisteredPage(options, project, request)
    const cookies = projectCookies(options, project, request)
    const token = cookies.read('access')
    const row = token === undefined ? undefined : await find(project, token)
    if (row?.has_session) return callerOf(row)
    if (token === undefined && cookies.read('session') === undefined) {
      throw unauthenticated('session_not_found', 'Nobody is signed in.')
    }
    throw unauthenticated(
      'session_expired',
      'The access token or the session has expired. Refresh the token or sign in.',
    )
  }
}

function callerOf(row: Row): Caller {
  const { administratorRoles = defaultAdministratorRoles, accessRoles = [] } = row.settings ?? {}
  const roles = new Map(Object.entries(row.roles).map(([id, slugs]) => [id, new Set(slugs)]))
  const hasOneOf = (wanted: readonly string[], held: ReadonlySet<string>): boolean =>
    wanted.some((slug) => held.has(slug))
  const administered = [...roles].filter(([, held]) => hasOneOf(administratorRoles, held))
  return {
    id: row.account_id ?? row.client_id,
    ...(row.account_id === null ? {} : { userId: row.account_id }),
    organizationId: row.org_id ?? row.session_organization ?? undefined,
    hasAccess:
      accessRoles.length === 0 || [...roles.values()].some((held) => hasOneOf(accessRoles, held)),
    roles,
    administered: new Set(administered.map(([id]) => id)),
  }
}
