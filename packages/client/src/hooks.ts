import type { ErrorCode } from './errors.ts'

/**
 * One attempt, as passed to hooks. It has only the members listed here, without URL query,
 * headers or body, so that no secret can reach a log or a span through a hook.
 */
export interface RequestEvent {
  /** Operation id from the contract: `iam.listUsers`. */
  readonly operation: string
  /** GET, POST or PUT. */
  readonly method: string
  /** Path template: `/iam/v4/iam/users/{userId}`. */
  readonly path: string
  /** Project key. */
  readonly project: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Value of `x-request-id`, the same for all attempts; undefined if it is not sent. */
  readonly requestId: string | undefined
}

/** Outcome of an attempt. */
export interface RequestOutcome {
  /** HTTP status; undefined if there was no response. */
  readonly status: number | undefined
  /** Error code; undefined on success. */
  readonly code: ErrorCode | undefined
  /** Time from sending to the end of the body, in milliseconds; 0 if nothing was sent. */
  readonly durationMs: number
}

/** Retry after a failed attempt. */
export interface RetryEvent extends Pick<RequestOutcome, 'status'> {
  /** Time until the next attempt, in milliseconds. */
  readonly pauseMs: number
}

/** Callbacks around every attempt. */
export interface Hooks {
  /**
   * Returns headers to send, for example of a trace. An error that it throws ends the call
   * and becomes the `cause` of the call's error. It is awaited for as long as
   * `totalTimeoutMs` and the signal of the call allow.
   */
  readonly before?: (
    event: RequestEvent,
  ) => Readonly<Record<string, string>> | void | Promise<Readonly<Record<string, string>> | void>
  /** Receives the same event object as `before`. Errors that it throws are ignored. */
  readonly after?: (event: RequestEvent, outcome: RequestOutcome) => void
  /**
   * Called after `after`, before the pause that precedes the next attempt, for example to show
   * how long a rate limit lasts. Errors that it throws are ignored.
   */
  readonly retry?: (event: RequestEvent, retry: RetryEvent) => void
}
