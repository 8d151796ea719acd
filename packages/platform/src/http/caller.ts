import type { ConsoleRole, Operation } from '@servicekit/contract'
import { Forbidden } from './rejected-request.ts'

/** Authenticated caller: a user with a session or a token, or a machine with a token. */
export interface Caller {
  /** Id recorded as the author of records: the user's id, or the machine's client id. */
  readonly id: string
  readonly userId?: string
  /** Organization of the token or session. */
  readonly organizationId: string | undefined
  /** True if the caller has a role that `/iam/v4/iam` requires, or if none is required. */
  readonly hasAccess: boolean
  /** Roles by organization, including ancestor roles; of a machine, in its token's organization. */
  readonly roles: ReadonlyMap<string, ReadonlySet<string>>
  /** Roles that make a member of an organization its administrator. */
  readonly administratorRoles: readonly string[]
  /** Organizations that the caller administers; `all` on an open platform. */
  readonly administered: ReadonlySet<string> | 'all'
  /** Roles for the console, with the codes of their languages. Administrators need none. */
  readonly consoleRoles: ReadonlyMap<ConsoleRole, ReadonlySet<string> | 'all'>
  /**
   * Roles and permissions that the caller may grant: those that it has, or all. Users are never
   * granted all, whichever route they use; only the operator of a platform is.
   */
  readonly grants: 'held' | 'all'
}

export const administers = ({ administered }: Caller, organizationId: string): boolean =>
  administered === 'all' || administered.has(organizationId)

/** Caller without authentication on a platform that is open for development. */
export const anonymousCaller: Caller = {
  id: 'anonymous',
  organizationId: undefined,
  hasAccess: true,
  roles: new Map(),
  administratorRoles: [],
  administered: 'all',
  consoleRoles: new Map(),
  grants: 'all',
}

/** Operator of the platform: the holder of the control token, or this machine if none is set. */
export const operator: Caller = { ...anonymousCaller, id: 'control' }

/** Caller that a handler receives, by the access rule of its operation. */
export type CallerOf<O extends Operation> = O['access'] extends { readonly who: infer W }
  ? W extends 'anyone' | 'session'
    ? undefined
    : W extends 'optional'
      ? Caller | undefined
      : Caller
  : Caller | undefined

/** Requires an administrator of any organization. @throws Forbidden */
export function requireAdministrator({ administered }: Caller): void {
  if (administered === 'all' || administered.size > 0) return
  throw new Forbidden(
    'Only an administrator may do this. Use an account or a machine client with an administrator role.',
  )
}
