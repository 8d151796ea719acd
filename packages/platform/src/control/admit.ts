import type { Access, ConsoleRole, Operation } from '@servicekit/contract'
import { identity } from '@servicekit/contract/control'
import { isSameOrigin } from '@servicekit/core'
import type { Context } from 'hono'
import { setActor } from '../database/actor.ts'
import { isFromOperator, ownAddress } from '../http/address.ts'
import type { AppEnv } from '../http/app-env.ts'
import { findSessionCaller } from '../identity/authorize.ts'
import { administers, type Caller, operator } from '../http/caller.ts'
import { defaultOrganizationId } from '../identity/organizations.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'
import { NotFound, PermissionDenied, Unauthenticated } from '../domain-errors.ts'

type Sent = Context<AppEnv>

/**
 * Operations that a page of another site may open: the other loopback name of this machine opens
 * the address of a ticket, which is secret and valid once.
 */
const openToOtherSites: ReadonlySet<Operation> = new Set<Operation>([identity.redeemSignInTicket])

/** @throws PermissionDenied for a request that a page of another site sends */
export function refuseOtherSites(c: Sent, operation: Operation): void {
  // Such a page cannot read the response, but sending the request may be all that it wants.
  if (c.req.header('sec-fetch-site') !== 'cross-site' || openToOtherSites.has(operation)) return
  throw new PermissionDenied('A page of another site sent this request. Open the address directly.')
}

/**
 * Requires the operator for an operation about the whole platform.
 *
 * @throws Unauthenticated, PermissionDenied
 */
export function admitToPlatform(c: Sent, options: ResolvedOptions, { who }: Access): void {
  if (isFromOperator(c, options)) setActor({ actor: operator.id })
  else if (who !== 'anyone') throw refusal(options, 'operator')
}

async function findProject({ projects }: Services, key: string): Promise<Project> {
  const project = await projects.find(key)
  if (!project) throw new NotFound(`There is no project ${key}.`)
  return project
}

/** Project of a request, and its caller; undefined if the operation requires none. */
export interface Admitted {
  readonly project: Project
  readonly caller: Caller | undefined
}

/**
 * Requires a caller that the access rule of an operation accepts: the operator; or, by the cookies
 * of a session, an administrator of the project or a member with a role for the console.
 *
 * @throws Unauthenticated, PermissionDenied, NotFound
 */
export async function admitToProject(
  c: Sent,
  services: Services,
  { who, proofs, consoleRoles = [] }: Access,
  key: string,
): Promise<Admitted> {
  const { options } = services
  if (isFromOperator(c, options)) {
    setActor({ actor: operator.id })
    return { project: await findProject(services, key), caller: operator }
  }
  if (who === 'anyone') return { project: await findProject(services, key), caller: undefined }
  const mayHaveSession = proofs.includes('session') && !c.req.raw.headers.has('authorization')
  if (!mayHaveSession || options.controlToken === undefined) throw refusal(options, who)
  const found = await findSessionCaller(services, c.req.raw, key)
  if (!found) throw refusal(options, who)
  requireOwnPage(c, options)
  const { project, caller } = found
  setActor({ actor: `user:${caller.id}` })
  if (administers(caller, defaultOrganizationId(project))) {
    return { project, caller: asAdministrator(caller) }
  }
  if (consoleRoles.some((role) => caller.consoleRoles.has(role))) return { project, caller }
  throw new PermissionDenied(noRole(consoleRoles))
}

/**
 * Requires that a page of the platform itself sent a request with the cookies of a session. Pages
 * cannot forge `Sec-Fetch-Site` and `Origin`; a request that changes something must have one of
 * them.
 *
 * @throws PermissionDenied
 */
export function requireOwnPage({ req }: Sent, options: ResolvedOptions): void {
  if (isSameOrigin(req.raw, ownAddress(options, req.raw).origin)) return
  throw new PermissionDenied(
    'Only pages of the platform itself may send this request with cookies.',
  )
}

/** An administrator acts on the whole project, but grants no more than through any other route. */
const asAdministrator = (caller: Caller): Caller => ({
  ...caller,
  organizationId: undefined,
  hasAccess: true,
  administered: 'all',
  grants: 'held',
})

const refusal = ({ controlToken }: ResolvedOptions, who: Access['who']) => {
  if (controlToken === undefined) return new PermissionDenied(noToken)
  return new Unauthenticated(who === 'operator' ? noControl : noSession)
}

const noControl = 'The control token is missing or wrong.'

const noSession =
  'Send the control token, or the cookies of a session. Sign in at /console/ as an administrator.'

const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

const noRole = (consoleRoles: readonly ConsoleRole[]): string => {
  if (consoleRoles.length === 0) return 'Only administrators of the project may do this.'
  return `Only administrators of the project, and members with the console role ${anyOf.format(consoleRoles)}, may do this.`
}

/** Message of a platform whose control operations are open only to its machine. */
export const noToken =
  'Without a control token these routes are open only to requests from this machine to a loopback address, not through a proxy or with a public URL. Set a token with --control-token or SERVICEKIT_CONTROL_TOKEN.'
