import type { Access } from '@servicekit/contract'
import type { Context } from 'hono'
import { isFromThisMachine } from '../http/address.ts'
import { authenticate, tokenHash } from './authenticate.ts'
import { administers, type Caller, anonymousCaller, requireAdministrator } from '../http/caller.ts'
import { defaultOrganizationId } from './organizations.ts'
import type { FoundProject, Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import type { AppEnv } from '../http/app-env.ts'
import { Forbidden, RejectedRequest } from '../http/rejected-request.ts'

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
  const withoutCredentials =
    isOpen && proofs.length === 2 && who !== 'user' ? anonymousCaller : undefined
  const proof = proofs.includes('session') ? 'session' : 'bearer'
  if (withoutCredentials === undefined && who !== 'optional')
    return authenticate(services, found, request, proof)
  if (!request.headers.has('cookie')) return withoutCredentials
  return authenticate(services, found, request, proof).catch(unlessRejected(withoutCredentials))
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
