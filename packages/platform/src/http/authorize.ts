import type { Access, Operation } from '@servicekit/contract'
import { isFromThisMachine } from '../control/guard.ts'
import {
  administers,
  type Caller,
  type CrossSiteRefusal,
  anonymousCaller,
  type Unauthenticated,
} from '../identity/caller.ts'
import { defaultOrganizationId } from '../identity/organizations.ts'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import type { Context } from 'hono'
import type { AppEnv } from './app-env.ts'

/** Refusal of an authenticated caller who lacks permission. */
export interface ForbiddenRefusal {
  readonly reason: 'forbidden'
  readonly message: string
}

/** Refusal for missing authentication or permission. */
export type Denied = Unauthenticated | CrossSiteRefusal | ForbiddenRefusal

/** Thrown by a handler to respond with 403; rolls back its transaction. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden'
}

/** Type of the caller, given the access rule of an operation. */
export type CallerOf<O extends Operation> = O['access'] extends { readonly who: infer W }
  ? W extends 'anyone' | 'session'
    ? undefined
    : W extends 'optional'
      ? Caller | undefined
      : Caller
  : Caller | undefined

/** Input of authorization. */
interface Requested {
  readonly services: Services
  readonly project: Project
  readonly c: Context<AppEnv>
}

/**
 * Authenticates the caller and checks the access rule of the operation, as far as
 * possible before parameters are parsed. An invalid Authorization header is always
 * rejected; invalid cookies only if the operation requires authentication.
 */
export async function authorize(
  requested: Requested,
  access: Access,
): Promise<Caller | undefined | Denied> {
  const { services, c } = requested
  const isOpen = services.options.openProjects && isFromThisMachine(c, services.options)
  const caller = await findCaller(requested, access, isOpen)
  if (caller && 'reason' in caller) return caller
  if (isOpen) return caller && { ...caller, hasAccess: true, administered: 'all' }
  return (caller && check(caller, access, requested.project)) ?? caller
}

async function findCaller(
  { services, project, c }: Requested,
  { who, proofs }: Access,
  isOpen: boolean,
): Promise<Caller | undefined | Denied> {
  const request = c.req.raw
  if (request.headers.has('authorization')) {
    const { authenticate } = services.identity
    const caller = await authenticate(project, request, 'bearer')
    if ('reason' in caller) return caller
    if (proofs.includes('bearer')) return caller
  }
  if (who === 'anyone' || who === 'session') return undefined
  // Operations that accept one kind of proof, or concern the caller's own account,
  // require a caller even in open projects.
  const nobody = isOpen && proofs.length === 2 && who !== 'user' ? anonymousCaller : undefined
  const isOptional = nobody !== undefined || who === 'optional'
  if (isOptional && !request.headers.has('cookie')) return nobody
  const { authenticate } = services.identity
  const proof = proofs.includes('session') ? 'session' : 'bearer'
  const caller = await authenticate(project, request, proof)
  return isOptional && 'reason' in caller ? nobody : caller
}

/** Returns why the caller may not call the operation at all; undefined if it may. */
function check(caller: Caller, { who }: Access, project: Project): ForbiddenRefusal | undefined {
  switch (who) {
    case 'user':
      return caller.userId === undefined
        ? forbidden('A machine has no account. Sign in as a user.')
        : undefined
    case 'self':
      return caller.userId === undefined ? checkAdministrator(caller) : undefined
    case 'administrator':
      return checkAdministrator(caller)
    case 'projectAdministrator':
      return administers(caller, defaultOrganizationId(project))
        ? undefined
        : forbidden(
            'Only an administrator of the default organization may do this. Use an account or a machine client with an administrator role there.',
          )
    default:
      return undefined
  }
}

/** Returns why the caller may not access another user. Administrators may, within limits. */
export const checkOther = (caller: Caller, userId: string): ForbiddenRefusal | undefined =>
  caller.userId === userId ? undefined : checkAdministrator(caller)

function checkAdministrator({ administered }: Caller): ForbiddenRefusal | undefined {
  if (administered === 'all' || administered.size > 0) return undefined
  return forbidden(
    'Only an administrator may do this. Use an account or a machine client with an administrator role.',
  )
}

const forbidden = (message: string): ForbiddenRefusal => ({ reason: 'forbidden', message })

const how = {
  session: 'Sign in (GET /iam/v4/idp/initiate) and send the cookies of the session',
  bearer: 'send Authorization: Bearer with a token from POST /iam/v4/oidc/token',
} as const

/**
 * Returns how to authenticate; for requests of this machine, also how to open a
 * development platform.
 */
export function signInHelp(
  { services, c }: Omit<Requested, 'project'>,
  { proofs }: Access,
): string {
  if (proofs.length === 0) return 'Leave the header out, or send a valid token.'
  const ways = proofs.map((proof) => how[proof]).join(', or ')
  const open = 'For development, `servicekit dev --open` lets everyone on this machine in.'
  return `${ways[0]!.toUpperCase()}${ways.slice(1)}.${
    proofs.length === 2 && isFromThisMachine(c, services.options) ? ` ${open}` : ''
  }`
}
