import type { z } from 'zod'
import { type Access, type Denied, refusalsOf } from './access.ts'
import type { Route } from './route.ts'

/** A response that an operation may send. */
export interface Answer<S extends z.ZodType = z.ZodType> {
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
  readonly answers: Readonly<Record<number, Answer>>
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
  agree(route, 'query', route.query ?? [], parts.query)
  agree(
    route,
    'path',
    [...route.path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!),
    parts.path,
  )
  if ((route.body === undefined) !== (parts.body === undefined)) {
    throw new TypeError(
      route.body === undefined
        ? `${route.id}: there is a body schema, but the route sends no body`
        : `${route.id}: the route sends a body, but there is no schema for it`,
    )
  }
  const { access, denied, answers } = parts
  const refusals = denied === 'result' ? {} : refusalsOf(access, denied)
  return { route, ...parts, answers: { ...refusals, ...answers } }
}

function agree(
  route: Route,
  place: 'query' | 'path',
  names: readonly string[],
  schema: z.ZodObject | undefined,
): void {
  const inRoute = [...names].sort().join()
  const inSchema = Object.keys(schema?.shape ?? {})
    .sort()
    .join()
  if (inRoute === inSchema) return
  throw new TypeError(
    `${route.id}: the route sends (${inRoute}) but its ${place} schema has (${inSchema})`,
  )
}
