import type { Project } from '../projects/project-directory.ts'

/** Who sent a request: a person with a session, or a program with a token of its own. */
export interface Caller {
  readonly kind: 'user' | 'machine'
  readonly clientId: string
  /** Only of a person. */
  readonly userId?: string
  /** The organization for which a token was issued, or that a session is in. */
  readonly organizationId: string | undefined
  /** Whether a role that the project asks for, if it asks for any, is among the person's. */
  readonly hasAccess: boolean
  /** The same for the roles that may change users, roles and organizations. */
  readonly isAdministrator: boolean
}

/** Why nobody is known to have sent a request. */
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

/** How a caller may prove who it is: by the cookies of a session, or by a token in a header. */
type Proof = 'session' | 'bearer'

/** Finds out who sent a request. */
export type Authenticate = (
  project: Project,
  request: Request,
  proof: Proof,
) => Promise<Caller | Unauthenticated | ForeignPage>
