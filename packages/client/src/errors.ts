import { type Details, formatErrorMessage } from '@servicekit/core'

export type { Details }

/** Codes of the errors thrown by this package and the packages built on it. */
export type ErrorCode =
  | 'CONFIG_INVALID'
  | 'REQUEST_REFUSED'
  | 'REQUEST_FAILED'
  | 'REQUEST_TIMED_OUT'
  | 'REQUEST_ABORTED'
  | 'RATE_LIMITED'
  | 'RESPONSE_INVALID'
  | 'RESPONSE_TOO_LARGE'
  | 'OPERATION_FAILED'
  | 'SIGN_IN_REFUSED'
  | 'UPLOAD_FAILED'
  | 'DOWNLOAD_FAILED'
  | 'SNAPSHOT_MISSING'
  | 'SNAPSHOT_DRIFT'
  | 'SNAPSHOT_INVALID'
  | 'CATALOG_INVALID'
  | 'EMIT_FAILED'
  | 'READ_FAILED'
  | 'PACKAGE_MISSING'

/** Input for creating an error. */
export interface ErrorInit {
  /** Machine-readable code. */
  readonly code: ErrorCode
  /** Context of the failure, one line each: `url`, `status`, `file`, `key` … */
  readonly details?: Details
  /** Advice on fixing the problem. */
  readonly help?: string | undefined
  /** Underlying error, if it may be shown. */
  readonly cause?: unknown
}

/** Properties of the response that an error is about, if there was one. */
export interface FailedResponse {
  readonly status?: number | undefined
  readonly body?: unknown
  readonly retryAfterMs?: number | undefined
  readonly requestId?: string | undefined
}

/**
 * Base class of every error of the toolkit. `message` has what failed in its first line,
 * then the details, then how to fix it:
 *
 * ```text
 * Cannot read the translations of module "auth" in de-DE
 *   project: P5c1…
 *   status: 401
 * Check the project key.
 * ```
 *
 * Distinguish errors by `code` or `instanceof`, not by `name`: minifiers shorten class
 * names.
 */
export class ServicekitError extends Error {
  declare readonly code: ErrorCode
  readonly details: Details = {}
  declare readonly help: string | undefined

  /** Every property of `init` becomes a property of the error. */
  constructor(summary: string, init: ErrorInit & FailedResponse) {
    super(formatErrorMessage(summary, init), init)
    this.name = new.target.name
    Object.assign(this, init)
  }
}

/** Missing, unknown or invalid option. Thrown before anything is sent. */
export class ConfigError extends ServicekitError {
  constructor(summary: string, init: Omit<ErrorInit, 'code'> = {}) {
    super(summary, { code: 'CONFIG_INVALID', ...init })
  }
}

/**
 * A request failed without a usable response: it was refused, failed in the network, timed
 * out or was aborted.
 *
 * Not thrown for a response of the wrong shape ({@link ResponseShapeError}) or for a
 * failure reported with status 200 ({@link OperationError}).
 */
export class RequestError extends ServicekitError {
  /** HTTP status; undefined if there was no response. */
  declare readonly status: number | undefined
  /** Response body, parsed if it is JSON. Values of the request's own headers are removed. */
  declare readonly body: unknown
  /** Wait that the service requested, in milliseconds; undefined if it requested none. */
  declare readonly retryAfterMs: number | undefined
  /**
   * Value of the `x-request-id` header, to find the request in the service's logs; see
   * `requestIds`.
   */
  declare readonly requestId: string | undefined
}

/** The response does not have the shape that the interface promises. */
export class ResponseShapeError extends ServicekitError {
  constructor(summary: string, init: Omit<ErrorInit, 'code'>) {
    super(summary, { code: 'RESPONSE_INVALID', ...init })
  }
}

/**
 * The service responded with status 200 but reported a failure: `isSuccess: false`,
 * `success: false` or non-empty `errors`.
 */
export class OperationError extends ServicekitError {
  declare readonly status: number
  /** Response body as received. Use `fieldErrors` to read the errors of each field. */
  declare readonly body: unknown

  constructor(
    summary: string,
    init: Omit<ErrorInit, 'code'> & Pick<Required<FailedResponse>, 'status' | 'body'>,
  ) {
    super(summary, { code: 'OPERATION_FAILED', ...init })
  }
}
