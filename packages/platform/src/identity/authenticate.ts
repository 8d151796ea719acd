import type { ConsoleRole, Proof } from '@servicekit/contract'
import type { FoundProject, Project, TokenRow } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { RejectedRequest } from '../http/rejected-request.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Caller } from '../http/caller.ts'
import { projectCookies } from './cookies.ts'
import { requireRegisteredPage } from '../http/cors.ts'
import { defaultOrganizationId } from './organizations.ts'
import { defaultAdministratorRoles, type IdentitySettings } from './settings.ts'
import { hashSecret } from '../secrets.ts'

const unauthenticated = (error: string, message: string): RejectedRequest =>
  new RejectedRequest({ reason: 'unauthenticated', error, message })

const bearerToken = (request: Request): string | undefined =>
  /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]

const cookieToken = (options: ResolvedOptions, key: string, request: Request): string | undefined =>
  projectCookies(options, { key }, request).read('access')

/** Returns the hash of the token that a request sends; null if there is none. */
export function tokenHash(options: ResolvedOptions, key: string, request: Request): string | null {
  const token = request.headers.has('authorization')
    ? bearerToken(request)
    : cookieToken(options, key, request)
  return token === undefined ? null : hashSecret(token)
}

/** Authenticates a request by one kind of proof. @throws RejectedRequest */
export async function authenticate(
  { projects, options }: Services,
  { project, token: found }: FoundProject,
  request: Request,
  proof: Proof,
): Promise<Caller> {
  if (proof === 'bearer') {
    if (bearerToken(request) === undefined) {
      throw unauthenticated('invalid_token', 'The Authorization header has no bearer token.')
    }
    if (found) return callerOf(project, found)
    throw unauthenticated('invalid_token', 'The token is invalid or has expired.')
  }
  requireRegisteredPage(options, project, request)
  const token = cookieToken(options, project.key, request)
  // With an Authorization header, the token found is the header's.
  const row =
    token !== undefined && request.headers.has('authorization')
      ? (await projects.findWithToken(project.key, hashSecret(token)))?.token
      : found
  if (token !== undefined && row?.has_session) return callerOf(project, row)
  if (
    token === undefined &&
    projectCookies(options, project, request).read('session') === undefined
  ) {
    throw unauthenticated('session_not_found', 'Nobody is signed in.')
  }
  throw unauthenticated(
    'session_expired',
    'The access token or the session has expired. Refresh the token or sign in.',
  )
}

function callerOf(project: Project, row: TokenRow): Caller {
  const {
    administratorRoles = defaultAdministratorRoles,
    accessRoles = [],
    consoleRoles = {},
  } = row.settings ?? {}
  const ancestors = new Map(Object.entries(row.ancestors ?? {}))
  const roles = new Map(
    Object.entries(row.roles ?? {}).map(([id, slugs]) => [id, withAncestors(slugs, ancestors)]),
  )
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
    administratorRoles,
    administered: new Set(administered.map(([id]) => id)),
    consoleRoles: consoleRolesOf(consoleRoles, roles.get(defaultOrganizationId(project))),
    grants: 'held',
  }
}

/** Returns the roles for the console that roles of the default organization give. */
export function consoleRolesOf(
  grants: NonNullable<IdentitySettings['consoleRoles']>,
  held: ReadonlySet<string> = new Set(),
): Caller['consoleRoles'] {
  const all = new Map<ConsoleRole, ReadonlySet<string> | 'all'>()
  for (const slug of held) {
    // A slug may be the name of a member of every object.
    const grant = Object.hasOwn(grants, slug) ? grants[slug] : undefined
    if (!grant) continue
    const languages = 'languages' in grant ? grant.languages : undefined
    const known = all.get(grant.role)
    const isAll = languages === undefined || known === 'all'
    all.set(grant.role, isAll ? 'all' : new Set([...(known ?? []), ...languages]))
  }
  return all
}

/** Returns roles with those that they include. */
export function withAncestors(
  slugs: readonly string[],
  ancestors: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const all = new Set(slugs)
  // A set also visits what is added while it is iterated.
  for (const slug of all) for (const ancestor of ancestors.get(slug) ?? []) all.add(ancestor)
  return all
}
