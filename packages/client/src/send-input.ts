import type { Route } from '@servicekit/contract/routes'
import type { TransportResponse } from './transport.ts'

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with `REQUEST_ABORTED`. */
  readonly signal?: AbortSignal
  /** Timeout of one attempt, in milliseconds. Default: that of the client. */
  readonly timeoutMs?: number
}

/** Input of one request, in addition to its route. */
export interface SendInput extends CallOptions {
  /** Values of the path parameters. */
  readonly path?: Readonly<Record<string, string>>
  /** Query parameters. Only those that the route names and that are defined are sent. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as `application/json`. */
  readonly json?: unknown
  /** Sent as `application/json` as it is, instead of `json`. */
  readonly jsonText?: string
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>
  /** Headers of this call; they override those of the client. */
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that are not failures, in addition to 200 to 299. */
  readonly accept?: readonly number[]
  /** Overrides the effect of the route: a gateway query may be retried, a mutation may not. */
  readonly effect?: Route['effect']
  /** Describes the operation in the first line of an error, for example `read the languages`. */
  readonly intent: string
  /** Details for errors, in addition to project and URL: `language`, `module` … */
  readonly details?: Readonly<Record<string, string | number>>
  /** Parts of the body that must not appear in an error if the service echoes them. */
  readonly secrets?: readonly (string | null | undefined)[]
  /**
   * Wraps each attempt, to add headers that change per attempt, such as a token, and to
   * read the response, whatever its status. It is awaited for as long as the call has time
   * left.
   */
  readonly wrapAttempt?: (send: SendAttempt) => Promise<TransportResponse>
  /**
   * Returns true if a successful response rejects the credentials, as the data gateway does
   * with status 200.
   */
  readonly isUnauthenticated?: (response: CoreResponse) => boolean
  /**
   * Renews the credentials after a 401 or an unauthenticated response. Unless that failed,
   * the request is sent again, including one that creates: nothing was done yet.
   */
  readonly renew?: () => Promise<Renewed>
}

/** Outcome of a renewal: made by this call, made elsewhere in the meantime, or failed. */
export type Renewed = 'renewed' | 'elsewhere' | 'failed'

/** Sends one attempt with these headers, in addition to those of the call. */
export type SendAttempt = (headers?: Readonly<Record<string, string>>) => Promise<TransportResponse>

/** Response of the service, not yet validated. */
export interface CoreResponse {
  /** HTTP status. */
  readonly status: number
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** `Set-Cookie` values of the response; always empty in browsers, which hide them. */
  readonly setCookie?: readonly string[]
  /** Decoded body. */
  readonly text: string
  /**
   * Returns the body parsed as JSON, or undefined if it is empty.
   *
   * @throws ResponseShapeError `RESPONSE_INVALID` if it is not JSON.
   */
  readonly json: () => unknown
  /** Returns the body for use in errors, with the secrets of the request removed; may be empty. */
  readonly redactedText: () => string
}
