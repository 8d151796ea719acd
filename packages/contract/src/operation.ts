import type { z } from 'zod'
import { Rejection, SessionError } from './errors.ts'
import type { Route } from './route.ts'

/**
 * Means by which a caller proves its identity.
 *
 * - `session`: the cookies of a session.
 * - `bearer`: an access token of a user or a machine.
 * - `control`: the control token of the platform. A platform without one accepts requests of its
 *   own machine instead.
 */
export type Proof = 'session' | 'bearer' | 'control'

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
 * - `operator`: who runs the platform.
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
  | 'operator'

/**
 * Roles for people who use the console and are not administrators of the project.
 *
 * - `manager`: everything about translations, keys, modules and languages.
 * - `translator`: translations of existing keys.
 * - `reviewer`: like `translator`, and marks translations as reviewed.
 * - `developer`: reads translations and schemas, and operates the webhook.
 */
export const consoleRoles = ['manager', 'translator', 'reviewer', 'developer'] as const
export type ConsoleRole = (typeof consoleRoles)[number]

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
  /** Roles for the console of which one is enough, in place of what `who` requires. */
  readonly consoleRoles?: readonly ConsoleRole[]
  /** Accepted proofs; a token is also accepted where `who` is `anyone`, and changes nothing. */
  readonly proofs: readonly Proof[]
}

const either = ['session', 'bearer'] as const
const cookies = ['session'] as const
const administration = { who: 'projectAdministrator', proofs: ['control', 'session'] } as const

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
  operator: { who: 'operator', proofs: ['control'] },
  /** The operator, or an administrator who is signed in to the console. */
  administration,
  /** Like `administration`; also everyone with a role for the console. */
  readingTranslations: { ...administration, consoleRoles },
  /** Like `administration`; also translators and reviewers, for their languages. */
  translating: { ...administration, consoleRoles: ['manager', 'translator', 'reviewer'] },
  /** Like `administration`; also managers of translations. */
  managingTranslations: { ...administration, consoleRoles: ['manager'] },
  /** Like `administration`; also developers. */
  developing: { ...administration, consoleRoles: ['developer'] },
} as const satisfies Readonly<Record<string, Access>>

/** Bodies of rejected calls, where they differ from `SessionError` (401) and `Rejection` (403). */
export interface Denied {
  readonly 401?: z.ZodType
  readonly 403?: z.ZodType
}

/** A response that an operation may send. */
export interface ResponseDefinition<S extends z.ZodType = z.ZodType> {
  readonly description: string
  /** Absent where the response has no body (304) or the interface shows none. */
  readonly schema?: S
  /** Media type of the body; `application/json` unless stated. */
  readonly mediaType?: string
  /** Only deployed instances send this response; the local platform never does. */
  readonly isDeployedOnly?: true
}

/** Definition of an operation beyond its route. */
export interface OperationParts {
  /** Section of the interface that defines the operation, if one does; for documentation only. */
  readonly section?: string
  /**
   * Not in the interface: an extension that many instances offer. Expect it to be missing
   * on others.
   */
  readonly extension?: true
  readonly summary: string
  readonly description?: string
  /** Callers that may use the operation. */
  readonly access: Access
  /** Bodies of 401 and 403 where they differ from the defaults; `result` reports them in a 200. */
  readonly denied?: Denied | 'result'
  readonly query?: z.ZodObject
  readonly path?: z.ZodObject
  readonly body?: z.ZodType
  /** Responses by status. The schema's union includes shapes that only some instances send. */
  readonly responses: Readonly<Record<number, ResponseDefinition>>
}

/** A route with its schemas and responses. */
export type Operation<R extends Route = Route, P extends OperationParts = OperationParts> = P & {
  readonly route: R
}

/**
 * Defines an operation. Client types, the platform's validation, the OpenAPI document and
 * the conformance tests all derive from this value.
 *
 * The schemas must match what the route sends: the same query parameters, a path parameter
 * for each name in braces, and a body where the route has one.
 *
 * @throws TypeError when route and schemas disagree.
 */
export function defineOperation<const R extends Route, const P extends OperationParts>(
  route: R,
  parts: P,
): Operation<R, P> {
  checkNames(route, 'query', route.query ?? [], parts.query)
  checkNames(
    route,
    'path',
    [...route.path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!),
    parts.path,
  )
  if ((route.body === undefined) !== (parts.body === undefined)) {
    throw new TypeError(
      route.body === undefined
        ? `${route.id}: unexpected body schema, because the route sends no body`
        : `${route.id}: body schema is required, because the route sends a body`,
    )
  }
  const { access, denied, responses } = parts
  const denials = denied === 'result' ? {} : denialsOf(access, denied)
  return { route, ...parts, responses: { ...denials, ...responses } }
}

function checkNames(
  route: Route,
  kind: 'query' | 'path',
  names: readonly string[],
  schema: z.ZodObject | undefined,
): void {
  const inRoute = [...names].sort().join()
  const inSchema = Object.keys(schema?.shape ?? {})
    .sort()
    .join()
  if (inRoute === inSchema) return
  throw new TypeError(
    `${route.id}: the route sends (${inRoute}) but its ${kind} schema has (${inSchema})`,
  )
}

/** Responses that most operations share, where 401 and 403 follow from the access rule. */
export const rejections = {
  400: { description: 'Project key missing, or the request is malformed', schema: Rejection },
  404: { description: 'Project unknown', schema: Rejection },
} as const

const forbidden: Readonly<Record<Who, string | undefined>> = {
  anyone: undefined,
  session: undefined,
  optional: undefined,
  caller: undefined,
  user: 'The caller is a machine, or lacks a role that the project requires',
  self: 'The caller is neither the user nor an administrator of an organization of the user',
  administrator: 'The caller is not an administrator of the organization',
  projectAdministrator: 'The caller is not an administrator of the default organization',
  operator: 'The platform has no control token, and the request is not from its machine',
}

/** Returns the responses to unknown callers (401) and to callers without permission (403). */
function denialsOf(
  { who, proofs }: Access,
  denied: Denied = {},
): Readonly<Record<number, ResponseDefinition>> {
  const text = forbidden[who]
  return {
    401: { description: unauthorized(who, proofs), schema: denied[401] ?? SessionError },
    ...(text === undefined ? {} : { 403: { description: text, schema: denied[403] ?? Rejection } }),
  }
}

const controlRequired = {
  operator: 'The control token is missing or wrong',
  either: 'Neither the control token nor the cookies of a valid session were sent',
} as const

/** Describes a 401: the codes of a `SessionError`, or the missing proof of a control operation. */
function unauthorized(who: Who, proofs: readonly Proof[]): string {
  const token = 'invalid_token: the Authorization header is not valid'
  if (proofs.includes('control')) return controlRequired[who === 'operator' ? 'operator' : 'either']
  if (who === 'anyone' || who === 'session') return token
  if (!proofs.includes('session')) return 'invalid_token: the bearer token is missing or not valid'
  return who === 'optional'
    ? `session_not_found: this takes a signed-in caller; ${token}`
    : `session_not_found or session_expired: nobody is signed in; ${token}`
}
