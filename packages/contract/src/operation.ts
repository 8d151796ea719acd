import type { z } from 'zod'
import type { Route } from './route.ts'

/** One way in which an operation can answer. */
export interface Answer<S extends z.ZodType = z.ZodType> {
  readonly description: string
  /** Absent where the answer has no body (304) or the interface shows none. */
  readonly schema?: S
  /** Media type of the body; `application/json` unless stated. */
  readonly mediaType?: string
}

/** What a whole operation says beyond its route. */
export interface OperationParts {
  readonly summary: string
  readonly description?: string
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
 * The query schema must name exactly the parameters that the route sends.
 *
 * @throws TypeError when route and query schema name different parameters.
 */
export function defineOperation<const R extends Route, const P extends OperationParts>(
  route: R,
  parts: P,
): Operation<R, P> {
  const inRoute = [...(route.query ?? [])].sort().join()
  const inSchema = Object.keys(parts.query?.shape ?? {})
    .sort()
    .join()
  if (inRoute !== inSchema) {
    throw new TypeError(
      `${route.id}: the route sends (${inRoute}) but its query schema has (${inSchema})`,
    )
  }
  return { route, ...parts }
}
