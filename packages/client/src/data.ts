import type { data as contract, GatewayError } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core } from './core.ts'
import { ResponseShapeError } from './errors.ts'
import { rowsOf } from './listing.ts'
import { contradictoryPages, isObject, operate, pick, wrongShape } from './shapes.ts'

/** A schema of the project, as the listing has it (section 2.10). */
export type DataSchema = contract.DataSchema
export type { GatewayError }

/** Where a listing of schemas begins, and how many are on a page. */
export interface ListSchemasOptions extends CallOptions {
  /** Schemas per request; 100 by default. */
  readonly pageSize?: number
}

/**
 * All schemas of the project, page by page. Ends at `totalCount`, or at the first
 * page that is not full where an instance sends no count.
 *
 * @throws RequestError, ResponseShapeError; the latter also where pages contradict
 *   the count or each other.
 * @throws OperationError where the envelope says `isSuccess: false`.
 * @see section 4.5
 */
export function listSchemas(
  core: Core,
  { pageSize = 100, ...call }: ListSchemasOptions = {},
): AsyncGenerator<DataSchema, void, undefined> {
  const intent = 'list the data schemas'
  const route = routes.dataListSchemas
  const readPage = async (pageNo: number) => {
    const query = { ProjectKey: core.projectKey, PageNo: pageNo, PageSize: pageSize }
    const body = await operate(
      core,
      route,
      { ...call, query, intent },
      ({ json }) => json() as contract.SchemaListing | undefined,
    )
    const items = body?.data?.items ?? body?.items
    if (!Array.isArray(items)) {
      throw new ResponseShapeError(`Could not ${intent}: page ${pageNo} holds no list`, {
        facts: {
          project: core.projectKey,
          operation: route.id,
          expected: 'an array in data.items or items',
        },
      })
    }
    const total = pick(body?.data, 'totalCount') ?? pick(body, 'totalCount')
    return { items, total: typeof total === 'number' ? total : undefined }
  }
  return rowsOf<DataSchema>(pageSize, readPage, () => contradictoryPages(core, route, intent))
}

/** Outcome of a gateway operation: `errors` was read before `data` (section 4.5 rule 5). */
export type GatewayOutcome<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly errors: readonly GatewayError[]; readonly partial: unknown }

/**
 * Runs a GraphQL document on the data gateway. A query is repeated after a
 * passing failure, a mutation never once it was sent.
 *
 * ```ts
 * const result = await execute(core, { query: '{ Products { totalCount } }' })
 * if (result.ok) result.data
 * ```
 *
 * @throws RequestError when no answer came; a GraphQL error is an outcome.
 * @see section 4.5
 */
export async function execute<T = Record<string, unknown>>(
  core: Core,
  request: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> },
  call: CallOptions = {},
): Promise<GatewayOutcome<T>> {
  const intent = 'run the GraphQL operation'
  const answer = await core.send(routes.dataExecute, {
    ...call,
    json: request,
    intent,
    // Fragments may stand first, and strings may hold anything: only a document
    // without the very word is certain to do no more than read.
    effect: /\bmutation\b/.test(request.query) ? 'create' : 'read',
    isUnauthenticated: (refused) =>
      refused.text.includes(notAuthenticated) && isUnauthenticated(refused.json()),
  })
  const body = answer.json()
  const { data, errors } = (isObject(body) ? body : {}) as { data?: unknown; errors?: unknown }
  if (Array.isArray(errors) && errors.length > 0 && errors.every(isObject)) {
    const all = errors as unknown as readonly GatewayError[]
    return { ok: false, errors: all, partial: data ?? undefined }
  }
  if (!isObject(data) || Object.keys(errors ?? {}).length > 0) {
    throw wrongShape(core, routes.dataExecute, intent, 'an object in data, or a list in errors')
  }
  return { ok: true, data: data as T }
}

const notAuthenticated = 'AUTH_NOT_AUTHENTICATED'

/** Whether nothing ran, since the caller was not known. */
function isUnauthenticated(body: unknown): boolean {
  const errors = pick(body, 'errors')
  return (
    Array.isArray(errors) &&
    errors.some((error) => pick(pick(error, 'extensions'), 'code') === notAuthenticated) &&
    Object.values(pick(body, 'data') ?? {}).every((value) => value === null)
  )
}
