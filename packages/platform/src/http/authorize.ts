import type { Access, Operation } from '@servicekit/contract'
import { upperFirst } from '@servicekit/core'
import type { Context } from 'hono'
import { isFromThisMachine } from './address.ts'
import { authenticate, tokenHash } from '../identity/authenticate.ts'
import { administers, type Caller, anonymousCaller } from '../identity/caller.ts'
import { defaultOrganizationId } from '../identity/organizations.ts'
import type { FoundProject, Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from './app-env.ts'
import { Forbidden, RejectedRequest } from './rejected-request.ts'

export type CallerOf<O extends Operation> = O['access'] extends { readonly who: infer W }
  ? W extends 'anyone' | 'session'
    ? undefined
    : W extends 'optional'
      ? Caller | undefined
      : Caller
  : Caller | undefined

interface Requested {
  readonly services: Services
  readonly found: FoundProject
  readonly c: Context<AppEnv>
}

/**
 * Authenticates the caller and checks the access rule of the operation, as far as
 * possible before parameters are parsed. An invalid Authorization header is always
 * rejected; invalid cookies only if the operation requires authentication.
 *
 * @throws RejectedRequest
 */
export async function authorize(requested: Requested, access: Access): Promise<Caller | undefined> {
  const { services, found, c } = requested
  const isOpen = services.options.openProjects && isFromThisMachine(c, services.options)
  const caller = await findCaller(requested, access, isOpen)
  if (isOpen) return caller && { ...caller, hasAccess: true, administered: 'all', grants: 'all' }
  if (caller) requireAccess(caller, access, found.project)
  return caller
}

async function findCaller(
  { services, found, c }: Requested,
  { who, proofs }: Access,
  isOpen: boolean,
): Promise<Caller | undefined> {
  const request = c.req.raw
  if (request.headers.has('authorization')) {
    const caller = await authenticate(services, found, request, 'bearer')
    if (proofs.includes('bearer')) return caller
  }
  if (who === 'anyone' || who === 'session') return undefined
  // Operations that accept one kind of proof, or concern the caller's own account,
  // require a caller even in open projects.
  const nobody = isOpen && proofs.length === 2 && who !== 'user' ? anonymousCaller : undefined
  const proof = proofs.includes('session') ? 'session' : 'bearer'
  if (nobody === undefined && who !== 'optional')
    return authenticate(services, found, request, proof)
  if (!request.headers.has('cookie')) return nobody
  return authenticate(services, found, request, proof).catch(unlessRejected(nobody))
}

/** Creates a handler that replaces a rejection by a value, and throws all other errors. */
const unlessRejected =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof RejectedRequest) return value
    throw error
  }

/** Finds a project, and the user whose session cookies a request has; undefined without them. */
export async function findSessionCaller(
  services: Services,
  request: Request,
  projectKey: string,
): Promise<{ readonly project: Project; readonly caller: Caller } | undefined> {
  const hash = tokenHash(services.options, projectKey, request)
  if (hash === null) return undefined
  const found = await services.projects.findWithToken(projectKey, hash)
  if (!found) return undefined
  const rejected = unlessRejected(undefined)
  const caller = await authenticate(services, found, request, 'session').catch(rejected)
  return caller && { project: found.project, caller }
}

/** Requires that the caller may call the operation at all. @throws Forbidden */
function requireAccess(caller: Caller, { who }: Access, project: Project): void {
  switch (who) {
    case 'user':
      // The holder of the control token lists organizations as well.
      if (caller.userId !== undefined || caller.administered === 'all') return
      throw new Forbidden('A machine has no account. Sign in as a user.')
    case 'self':
      return caller.userId === undefined ? requireAdministrator(caller) : undefined
    case 'administrator':
      return requireAdministrator(caller)
    case 'projectAdministrator':
      if (administers(caller, defaultOrganizationId(project))) return
      throw new Forbidden(
        'Only an administrator of the default organization may do this. Use an account or a machine client with an administrator role there.',
      )
    default:
  }
}

export function requireAdministrator({ administered }: Caller): void {
  if (administered === 'all' || administered.size > 0) return
  throw new Forbidden(
    'Only an administrator may do this. Use an account or a machine client with an administrator role.',
  )
}

const signInWays = {
  session: 'Sign in (GET /iam/v4/idp/initiate) and send the cookies of the session',
  bearer: 'send Authorization: Bearer with a token from POST /iam/v4/oidc/token',
  control: 'send Authorization: Bearer with the control token',
} as const

/** Returns how to authenticate and, on this machine, how to open a development platform. */
export function signInHelp({ services, c }: Omit<Requested, 'found'>, { proofs }: Access): string {
  if (proofs.length === 0) return 'Leave the header out, or send a valid token.'
  const ways = proofs.map((proof) => signInWays[proof]).join(', or ')
  const open = 'For development, `servicekit dev --open` lets everyone on this machine in.'
  return `${upperFirst(ways)}.${
    proofs.length === 2 && isFromThisMachine(c, services.options) ? ` ${open}` : ''
  }`
}
