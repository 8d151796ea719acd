import type { z } from 'zod'
import { Rejection, SessionError } from './errors.ts'
import type { Answer } from './operation.ts'

/** Means by which a caller proves its identity: session cookies or a bearer token. */
export type Proof = 'session' | 'bearer'

/**
 * Callers that may use an operation. Every request also carries the project key.
 *
 * - `anyone`: no sign-in is required.
 * - `session`: the request's own session, which the operation returns or ends.
 * - `optional`: anyone; signed-in callers may see and do more.
 * - `caller`: a signed-in user, or a machine with a token.
 * - `user`: a signed-in user.
 * - `self`: the user concerned, or an administrator of an organization of that user.
 * - `administrator`: an administrator of the organization concerned.
 * - `projectAdministrator`: an administrator of the project's default organization.
 */
export type Who =
  | 'anyone'
  | 'session'
  | 'optional'
  | 'caller'
  | 'user'
  | 'self'
  | 'administrator'
  | 'projectAdministrator'

/**
 * The access rule of an operation. The OpenAPI document, its 401 and 403 responses and the
 * platform's authorization follow from it.
 *
 * ```ts
 * { who: 'administrator', proofs: ['session', 'bearer'] }
 * ```
 */
export interface Access {
  readonly who: Who
  /** Accepted proofs; a token is also accepted where `who` is `anyone`, and changes nothing. */
  readonly proofs: readonly Proof[]
}

const either = ['session', 'bearer'] as const
const cookies = ['session'] as const

/** Access rules by name: `either` proof unless the name says otherwise. */
export const access = {
  key: { who: 'anyone', proofs: [] },
  ownSession: { who: 'session', proofs: cookies },
  optional: { who: 'optional', proofs: either },
  caller: { who: 'caller', proofs: either },
  user: { who: 'user', proofs: either },
  self: { who: 'self', proofs: either },
  administrator: { who: 'administrator', proofs: either },
  projectAdministrator: { who: 'projectAdministrator', proofs: either },
  userByCookie: { who: 'user', proofs: cookies },
  selfByCookie: { who: 'self', proofs: cookies },
  administratorByCookie: { who: 'administrator', proofs: cookies },
  projectAdministratorByCookie: { who: 'projectAdministrator', proofs: cookies },
  projectAdministratorByToken: { who: 'projectAdministrator', proofs: ['bearer'] },
} as const satisfies Readonly<Record<string, Access>>

/** Bodies of rejected calls, where they differ from `SessionError` (401) and `Rejection` (403). */
export interface Denied {
  readonly 401?: z.ZodType
  readonly 403?: z.ZodType
}

const forbidden: Readonly<Record<Who, string | undefined>> = {
  anyone: undefined,
  session: undefined,
  optional: undefined,
  caller: undefined,
  user: 'The caller is a machine, or lacks a role that the project requires',
  self: 'The caller is neither the user nor an administrator of an organization of the user',
  administrator: 'The caller is not an administrator of the organization',
  projectAdministrator: 'The caller is not an administrator of the default organization',
}

/** Returns the responses to unknown callers (401) and to callers without permission (403). */
export function refusalsOf(
  { who, proofs }: Access,
  denied: Denied = {},
): Readonly<Record<number, Answer>> {
  const text = forbidden[who]
  return {
    401: { description: unauthorized(who, proofs), schema: denied[401] ?? SessionError },
    ...(text === undefined ? {} : { 403: { description: text, schema: denied[403] ?? Rejection } }),
  }
}

/** Describes the codes of a `SessionError`. */
function unauthorized(who: Who, proofs: readonly Proof[]): string {
  const token = 'invalid_token: the Authorization header is not valid'
  if (who === 'anyone' || who === 'session') return token
  if (!proofs.includes('session')) return 'invalid_token: the bearer token is missing or not valid'
  return who === 'optional'
    ? `session_not_found: this takes a signed-in caller; ${token}`
    : `session_not_found or session_expired: nobody is signed in; ${token}`
}
