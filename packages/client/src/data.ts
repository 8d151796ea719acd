import {
  type GatewayError,
  type GatewayFailure,
  type GatewayResult,
  isObject,
} from '@servicekit/core'
import type { data as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import type { CallOptions, Core, CoreResponse, SendInput } from './core.ts'
import { ServicekitError } from './errors.ts'
import type { LongType } from './exact-data.ts'
import { listing, type Listing, type ListOptions } from './listing.ts'
import { pick, wrongShape } from './operate.ts'
import { parseBody } from './parse-body.ts'
import { printJson } from './print-json.ts'

/** Schema of the project, as the list returns it (section 2.10). */
export type DataSchema = contract.DataSchema
export type { GatewayError, GatewayResult }

/** Options of {@link listSchemas}. */
export type ListSchemasOptions = Omit<ListOptions, 'sort'>

/**
 * Lists all schemas of the project, page by page. Stops at `totalCount`, or at the first
 * empty page if the instance sends no count.
 *
 * @throws RequestError, ResponseShapeError; the latter also if pages contradict the count
 *   or each other.
 * @throws OperationError if the envelope has `isSuccess: false`.
 * @see section 4.5
 */
export function listSchemas(core: Core, options: ListSchemasOptions = {}): Listing<DataSchema> {
  return listing(
    core,
    {
      route: routes.dataListSchemas,
      intent: 'list the data schemas',
      first: 1,
      input: ({ page, pageSize }) => ({
        query: { ProjectKey: core.projectKey, PageNo: page, PageSize: pageSize },
      }),
    },
    options,
  )
}

/**
 * Runs a GraphQL document on the data gateway. A query is retried after a transient
 * failure; a mutation only if it cannot have run (429, or never connected).
 *
 * ```ts
 * const result = await execute(core, { query: '{ Products { totalCount } }' })
 * if (result.ok) result.data
 * else result.errors[0]?.cause // RequestError, if the request failed
 * ```
 *
 * Does not reject if the request fails: `errors` then has one error whose `cause` is the
 * RequestError or ResponseShapeError. `errors` is checked before `data` (section 4.5 rule 5).
 *
 * JSON.parse would round some integers beyond 2^53, which a field of type Long may have. Each of them
 * is an error `LONG_ROUNDED`, or with `long: 'bigint'` or `long: 'string'` the exact value; all other
 * numbers stay numbers.
 *
 * @throws TypeError for a variable that JSON does not have, such as NaN, or that is undefined.
 *   Members of a mutation's `input` may be undefined.
 * @see section 4.5
 */
export async function execute<T = Record<string, unknown>>(
  core: Core,
  { long, ...request }: ExecuteRequest,
  call: CallOptions = {},
): Promise<GatewayResult<T>> {
  try {
    const jsonText = printJson(request, isOptional)!
    const response = await send(core, request.query, { ...call, jsonText })
    const result = readResult<T>(core, response)
    // Only integers of 16 digits and more can be rounded.
    if (!/\d{16}/.test(response.text)) return result
    const { withExactData } = await import('./exact-data.ts')
    return withExactData(result, response.text, long)
  } catch (cause) {
    if (!(cause instanceof ServicekitError)) throw cause
    return failure(cause)
  }
}

/**
 * Sends a document whose JSON is printed already, and returns the response as text, which generated
 * code parses with its types. The secrets of the request are removed from a response with errors.
 *
 * @param json JSON of the document and its variables.
 * @throws RequestError
 */
export async function executeText(
  core: Core,
  query: string,
  json: string,
  call: CallOptions & Pick<SendInput, 'headers'>,
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await send(core, query, { ...call, jsonText: json })
  const { status, text } = response
  const hasErrors = text.includes('"errors"') && pick(parseBody(text), 'errors') !== undefined
  return { status, text: hasErrors ? response.redactedText() : text }
}

function readResult<T>(core: Core, response: CoreResponse): GatewayResult<T> {
  const { data, errors } = (response.json() ?? {}) as { data?: T; errors?: GatewayError[] }
  if (Array.isArray(errors) && errors.length > 0 && errors.every(isObject)) {
    return { ok: false, errors: withoutSecrets(errors, response), partial: data ?? undefined }
  }
  if (isObject(data) && Object.keys(errors ?? {}).length === 0) return { ok: true, data }
  return unexpected(core, 'an object in data, or a list in errors')
}

/** An undefined condition would match every record. */
const isOptional = (path: string): boolean =>
  !path.startsWith('variables.') || /^variables\.input[.[]/.test(path)

/** Redacts the secrets of the request that the service repeats. */
function withoutSecrets(
  errors: readonly GatewayError[],
  response: CoreResponse,
): readonly GatewayError[] {
  // With its secrets removed, the body may no longer be JSON.
  const redacted = pick(parseBody(response.redactedText()), 'errors')
  return Array.isArray(redacted) ? redacted : errors.map(() => ({ message: '[not shown]' }))
}

const failure = (cause: ServicekitError): GatewayFailure => ({
  ok: false,
  errors: [{ message: cause.message, cause }],
  partial: undefined,
})

const unexpected = (core: Core, expected: string): GatewayFailure =>
  failure(wrongShape(core, routes.dataExecute, intent, expected))

/** Document to execute. */
interface ExecuteRequest {
  /** GraphQL document. */
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>>
  /**
   * Type of integers that a number would round, which fields of type Long may have. `number` by
   * default: each is an error `LONG_ROUNDED`.
   */
  readonly long?: LongType | undefined
}

const intent = 'run the GraphQL operation'

const send = (
  core: Core,
  query: string,
  call: CallOptions & Pick<SendInput, 'headers'> & Pick<Required<SendInput>, 'jsonText'>,
): Promise<CoreResponse> =>
  core.send(routes.dataExecute, {
    ...call,
    intent,
    // Fragments may come first and strings may contain anything: only a document without
    // the word is certain to be a read.
    effect: /\bmutation\b/.test(query) ? 'create' : 'read',
    isUnauthenticated: (refused) =>
      refused.text.includes(notAuthenticated) && isUnauthenticated(refused.json()),
  })

const notAuthenticated = 'AUTH_NOT_AUTHENTICATED'

/** Checks that nothing ran because the caller was not authenticated. */
function isUnauthenticated(body: unknown): boolean {
  const errors = pick(body, 'errors')
  return (
    Array.isArray(errors) &&
    errors.some((error) => pick(pick(error, 'extensions'), 'code') === notAuthenticated) &&
    Object.values(pick(body, 'data') ?? {}).every((value) => value === null)
  )
}
