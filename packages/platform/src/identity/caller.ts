import type { Proof } from '@servicekit/contract'
import type { Project } from '../projects/project-directory.ts'

/** Sender of a request: a user with a session or a token, or a machine with a token. */
export interface Caller {
  readonly kind: 'user' | 'machine'
  /** Identifier that records name as their author: of the user, or of the machine's client. */
  readonly id: string
  readonly clientId: string
  /** Only of a user. */
  readonly userId?: string
  /** Organization that a token was issued for, or that a session is in. */
  readonly organizationId: string | undefined
  /** Whether the caller has one of the roles that `/iam/v4/iam` requires, if it requires any. */
  readonly hasAccess: boolean
  /**
   * Roles by organization, with those that they descend from: of each membership of a user,
   * of the token's organization for a machine.
   */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>
  /** Organizations in which a role makes the caller an administrator; `all` of an open platform. */
  readonly administered: ReadonlySet<string> | 'all'
}

/** Returns whether the caller is an administrator of the organization. */
export const administers = ({ administered }: Caller, organizationId: string): boolean =>
  administered === 'all' || administered.has(organizationId)

/** No caller, because nothing proved one. */
export interface Unauthenticated {
  readonly reason: 'unauthenticated'
  /** Such as `session_not_found`. */
  readonly error: string
  readonly message: string
}

/** A page that may not use the cookies of its visitors. */
export interface ForeignPage {
  readonly reason: 'foreignPage'
  readonly message: string
}

/** Finds the sender of a request by one kind of proof. */
export type Authenticate = (
  project: Project,
  request: Request,
  proof: Proof,
) => Promise<Caller | Unauthenticated | ForeignPage>

/** Caller of whoever sends no proof to a platform that is open for development. */
export const openCaller: Caller = {
  kind: 'machine',
  id: 'anonymous',
  clientId: 'anonymous',
  organizationId: undefined,
  hasAccess: true,
  roles: new Map(),
  administered: 'all',
}
