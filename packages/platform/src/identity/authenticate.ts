import type { Database } from '../database/database.ts'
import { styleOf } from './address.ts'
import { sendInProject } from '../projects/send-in-project.ts'
import type { Project } from '../projects/project-directory.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Authenticate, Caller, Unauthenticated } from './caller.ts'
import { readCookie } from './cookies.ts'
import { foreignPage } from './foreign-page.ts'
import { hashSecret } from './secrets.ts'

interface Row {
  readonly kind: 'AccessToken' | 'ClientCredentials'
  readonly client_id: string
  readonly account_id: string | null
  readonly org_id: string | null
  readonly session_organization: string | null
  readonly has_session: boolean
  readonly has_access: boolean
  readonly is_administrator: boolean
}

/** Whether a setting with roles names none, or one of the account's. */
const hasRoleOf = (setting: string): string => `
  coalesce((select coalesce(json_array_length(x.value -> '${setting}'), 0) = 0
    or exists (select from servicekit.memberships m where m.user_id = t.account_id
      and (x.value -> '${setting}')::jsonb ?| m.roles)
    from servicekit.secrets x where x.name = 'settings'), true)`

const select = `
  select t.kind, t.payload ->> 'clientId' as client_id, t.account_id,
    t.payload -> 'extra' ->> 'org_id' as org_id,
    s.organization_id as session_organization, s.hash is not null as has_session,
    ${hasRoleOf('accessRoles')} as has_access,
    ${hasRoleOf('administratorRoles')} as is_administrator
  from servicekit.oidc_states t
  left join servicekit.sessions s on s.grant_id = t.grant_id and s.revoked_at is null
    and s.idle_expires_at > $2::timestamptz and s.absolute_expires_at > $2::timestamptz
  left join servicekit.users u on u.item_id = t.account_id
  where t.kind in ('AccessToken', 'ClientCredentials') and t.hash = $1
    and t.expires_at > $2::timestamptz and (t.account_id is null or u.active)`

const unauthenticated = (error: string, message: string): Unauthenticated => ({
  reason: 'unauthenticated',
  error,
  message,
})

/** Authenticates requests, with one query each. */
export function authenticator(database: Database, options: ResolvedOptions): Authenticate {
  const find = async (project: Project, token: string): Promise<Row | undefined> => {
    const values = [hashSecret(token), options.now()]
    const [found] = await sendInProject(database, project.id, [{ text: select, values }])
    const [row] = found!.rows as unknown as readonly Row[]
    return row
  }

  return async (project, request, proof) => {
    if (proof === 'bearer') {
      const [, token] =
        /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '') ?? []
      if (token === undefined) return unauthenticated('invalid_token', 'A bearer token is missing.')
      const row = await find(project, token)
      return row ? callerOf(row) : unauthenticated('invalid_token', 'The token is not valid.')
    }
    const style = styleOf(options, project, request)
    const foreign = foreignPage(request, style.own, options)
    if (foreign) return foreign
    const token = readCookie(request, 'access', style)
    if (token === undefined) {
      const hasSession = readCookie(request, 'session', style) !== undefined
      return hasSession
        ? unauthenticated('session_expired', 'The session has to be renewed.')
        : unauthenticated('session_not_found', 'Nobody is signed in.')
    }
    const row = await find(project, token)
    return row?.has_session
      ? callerOf(row)
      : unauthenticated('session_expired', 'The session has to be renewed, or is over.')
  }
}

const callerOf = (row: Row): Caller => ({
  kind: row.account_id === null ? 'machine' : 'user',
  clientId: row.client_id,
  ...(row.account_id === null ? {} : { userId: row.account_id }),
  organizationId: row.org_id ?? row.session_organization ?? undefined,
  hasAccess: row.has_access,
  isAdministrator: row.is_administrator,
})
