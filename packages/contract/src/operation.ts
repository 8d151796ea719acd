import type { z } from 'zod'
import { type Access, type Denied, refusalsOf } from './access.ts'
import type { Route } from './route.ts'

/** One way in which an operation can answer. */
export interface Answer<S extends z.ZodType = z.ZodType> {
  readonly description: string
  /** Absent where the answer has no body (304) or the interface shows none. */
  readonly schema?: S
  /** Media type of the body; `application/json` unless stated. */
  readonly mediaType?: string
  /** Only deployed instances respond so; the local platform never does. */
  readonly isDeployedOnly?: true
}

/** What a whole operation says beyond its route. */
export interface OperationParts {
  readonly summary: string
  readonly description?: string
  /** Who may call it. */
  readonly access: Access
  /** Bodies of 401 and 403 where they differ from the usual; `result` reports them in a 200. */
  readonly denied?: Denied | 'result'
  readonly query?: z.ZodObject
  readonly path?: z.ZodObject
  readonly body?: z.ZodType
  /** By status. Shapes that only some instances answer are in the schema's union. */
  readonly answers: Readonly<Record<number, Answer>>
}

/** A route together with its schemas and answers: the whole of what is known of it. */
export type Operation<R extends Route = Route, P extends OperationParts = OperationParts> = P & {
  readonly route: R
}

/**
 * Describes an operation. Client types, the platform's validation, the OpenAPI
 * document and the conformance tests are all read from this one value.
 *
 * The schemas must name exactly what the route sends: the same query parameters,
 * a path parameter for each name in braces, and a body where the route has one.
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
