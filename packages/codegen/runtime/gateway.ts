import { longsOfDocument } from './gateway-long.js'
import { request } from './gateway-request.js'
import type { GatewayVariables } from './gateway-types.js'

export type * from './gateway-types.js'

/**
 * Address and credentials of requests. A plain object: spread it to change an option
 * for one call, `listProducts({ ...gateway, signal }, …)`. Redirects are refused, because they
 * would send key, headers and body to another address.
 */
export interface Gateway {
  /** Base URL of the instance, without a trailing slash: `https://api.example.com`. */
  readonly baseUrl: string
  readonly projectKey: string
  /** Header of the project key, `x-service-key` by default; `x-blocks-key` with the preset `deployed`. */
  readonly keyHeader?: string | undefined
  /** Sent with every request, `authorization` for instance. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<GatewayFetched>) | undefined
  /** Credentials mode of fetch, `include` by default; `undefined` in runtimes without cookies. */
  readonly credentials?: 'include' | 'omit' | 'same-origin' | undefined
  /** Aborts the requests, and replaces their time limit of 30 seconds. */
  readonly signal?: AbortSignal | undefined
  /**
   * Sends requests instead of `fetch`, with the headers and the signal of the call.
   * `createClientGateway({ client })` of `@servicekit/client/gateway` sends them through the client,
   * which renews sessions and retries reads. Without it, a request is sent once.
   */
  readonly send?: ((request: GatewayRequest, call: Gateway) => Promise<GatewayResponse>) | undefined
}

/** The part of a response of `fetch` that is read. */
export interface GatewayFetched {
  readonly status: number
  text(): Promise<string>
}

/** Request to the gateway. */
export interface GatewayRequest {
  /** GraphQL document. */
  readonly query: string
  /** JSON of the document and its variables. */
  readonly body: string
}

/** Response to a request. Text, because parsing it rounds numbers beyond 2^53. */
export interface GatewayResponse {
  readonly status: number
  readonly text: string
}

/** `{ ok: true, data }`, or `{ ok: false, errors, partial }`. A call never rejects. */
export type GatewayResult<T> = GatewaySuccess<T> | GatewayFailure

export interface GatewaySuccess<T> {
  readonly ok: true
  readonly data: T
}

export interface GatewayFailure {
  readonly ok: false
  /** At least one. */
  readonly errors: readonly GatewayError[]
  /** Partial data of the response; undefined when there is none. */
  readonly partial: unknown
}

export interface GatewayError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  /** `code` is for example `AUTH_NOT_AUTHENTICATED` or `VALIDATION_ERROR`. */
  readonly extensions?: Readonly<Record<string, unknown>>
  /** The network error, the error of the client, or the status of a response that is no result. */
  readonly cause?: unknown
}

/** GraphQL document typed with its result and variables; a string at run time. */
export type GatewayDocument<D, V> = string & { readonly __apiType?: (variables: V) => D }

/**
 * Creates a gateway from its options.
 *
 * ```ts
 * const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P5c1…' })
 * ```
 */
export function createGateway(options: Gateway): Gateway {
  return options
}

/**
 * Runs any GraphQL document. `errors` is read before `data`. A value that JSON would drop or
 * change (undefined, NaN, an invalid date) fails before anything is sent; members of a mutation's
 * `input` may be undefined. A null root field without an error is a success, as its type says.
 *
 * ```ts
 * const result = await execute(gateway, listProductsDocument, { paging: { pageNo: 1, pageSize: 5 } })
 * ```
 */
export function execute<D = Record<string, unknown>, V = Record<string, unknown>>(
  gateway: Gateway,
  document: GatewayDocument<D, V>,
  variables?: V,
): Promise<GatewayResult<D>> {
  const { json, variablesOf } = longsOfDocument(document)
  return request(gateway, document, variablesOf((variables ?? {}) as GatewayVariables), json)
}

/**
 * Resolves with the data of a call, and throws where it failed.
 *
 * ```ts
 * const page = await orThrow(listProducts(gateway))
 * ```
 *
 * @throws GatewayOperationError with the errors of the failure.
 */
export async function orThrow<T>(result: GatewayResult<T> | Promise<GatewayResult<T>>): Promise<T> {
  const settled = await result
  if (settled.ok) return settled.data
  throw new GatewayOperationError(settled)
}

/** Thrown by {@link orThrow}; the message is that of the first error. */
export class GatewayOperationError extends Error {
  /** Code of the first error, such as `AUTH_NOT_AUTHENTICATED`; undefined if it has none. */
  readonly code: string | undefined
  readonly errors: readonly GatewayError[]
  readonly partial: unknown

  constructor(failure: GatewayFailure) {
    const [first] = failure.errors
    super(first?.message, { cause: first?.cause })
    this.name = 'GatewayOperationError'
    this.code = first?.extensions?.['code'] as string | undefined
    this.errors = failure.errors
    this.partial = failure.partial
  }
}
