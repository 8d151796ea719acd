/** Error of a gateway operation: of GraphQL, or of the request itself. */
export interface GatewayError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly locations?: readonly { readonly line: number; readonly column: number }[]
  /** `code` is for example `AUTH_NOT_AUTHENTICATED` or `VALIDATION_ERROR`. */
  readonly extensions?: Readonly<Record<string, unknown>>
  /** Error of the request, if there was no GraphQL result. */
  readonly cause?: unknown
}

/** Successful gateway operation. */
export interface GatewaySuccess<T> {
  readonly ok: true
  readonly data: T
}

/** Failed gateway operation. */
export interface GatewayFailure {
  readonly ok: false
  /** At least one. */
  readonly errors: readonly GatewayError[]
  /** Partial data of the response; undefined if there is none. */
  readonly partial: unknown
}

/**
 * Result of a gateway operation, of the client and of generated functions. A failed request
 * is also a result, so a call never rejects because of the service or the network.
 */
export type GatewayResult<T> = GatewaySuccess<T> | GatewayFailure
