import { messageOf } from '#message'

/** Codes of the errors that this package and those above it throw. */
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
  | 'TOKEN_REFUSED'
  | 'SNAPSHOT_MISSING'
  | 'SNAPSHOT_DRIFT'
  | 'SNAPSHOT_INVALID'
  | 'CATALOG_INVALID'
  | 'EMIT_FAILED'
  | 'READ_FAILED'

/** What an error knows beside its first line. Values are printed, so no secret belongs in here. */
export type Facts = Readonly<Record<string, string | number | boolean | undefined>>

/** What an error is made of. */
export interface ErrorDetails {
  /** What programs tell errors by. */
  readonly code: ErrorCode
  /** What was known when it failed, one line each: `url`, `status`, `file`, `key` … */
  readonly facts?: Facts
  /** What the reader can do about it. */
  readonly help?: string
  /** What it was that failed below, where that may be shown. */
  readonly cause?: unknown
}

/** What an error knows of the answer that it is about, where there is one. */
export interface AnswerDetails {
  readonly status?: number | undefined
  readonly body?: unknown
  readonly retryAfterMs?: number | undefined
}

/**
 * Base of every error of the toolkit. The first line of `message` says what
 * failed, then come the facts, then what to do:
 *
 * ```text
 * Could not read the texts of module "auth" in de-DE
 *   project: P5c1…
 *   status: 401
 * Check the project key.
 * ```
 *
 * Tell errors by `code`, or by `instanceof`: a bundler that shortens names shortens `name` too.
 */
export class ServicekitError extends Error {
  declare readonly code: ErrorCode
  declare readonly facts: Facts
  declare readonly help: string | undefined

  /** All that `details` holds becomes a member. */
  constructor(summary: string, details: ErrorDetails & AnswerDetails) {
    super(messageOf(summary, details), details)
    this.name = new.target.name
    Object.assign(this, { facts: {} }, details)
  }
}

/** An option is missing, unknown or not of its form. Thrown before anything is sent. */
export class ConfigError extends ServicekitError {
  constructor(summary: string, details: Omit<ErrorDetails, 'code'> = {}) {
    super(summary, { code: 'CONFIG_INVALID', ...details })
  }
}

/**
 * A request did not bring an answer that can be used: the service refused it,
 * the network failed, it took too long or was aborted. It is NOT thrown for an
 * answer whose form is wrong ({@link ResponseShapeError}) nor for a GraphQL
 * result with errors (`OPERATION_FAILED`).
 */
export class RequestError extends ServicekitError {
  /** HTTP status; undefined when no answer came. */
  declare readonly status: number | undefined
  /** Body of the answer, parsed where it is JSON; what the request's own headers held is left out. */
  declare readonly body: unknown
  /** How long the service asked to wait, in milliseconds; undefined where it did not ask. */
  declare readonly retryAfterMs: number | undefined
  /** What the request carried as `x-request-id`, to be found in the service's logs; see `requestIds`. */
  declare readonly requestId: string | undefined
}

/** An answer came and is not of the form that the interface promises. */
export class ResponseShapeError extends ServicekitError {
  constructor(summary: string, details: Omit<ErrorDetails, 'code'>) {
    super(summary, { code: 'RESPONSE_INVALID', ...details })
  }
}

/**
 * The service answered with status 200, and that the operation failed:
 * `isSuccess: false`, `success: false`, `errors` that are not empty.
 */
export class OperationError extends ServicekitError {
  declare readonly status: number
  /** The answer as it came. `fieldErrors` reads what is said of which field. */
  declare readonly body: unknown

  constructor(
    summary: string,
    details: Omit<ErrorDetails, 'code'> & Pick<Required<AnswerDetails>, 'status' | 'body'>,
  ) {
    super(summary, { code: 'OPERATION_FAILED', ...details })
  }
}
