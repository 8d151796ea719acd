import type { ErrorCode } from './errors.ts'

/**
 * One attempt, as hooks see it. It holds what is listed here and nothing else:
 * no address with its query, no header and no body, so that no secret can get
 * into a log or a span by way of a hook.
 */
export interface RequestEvent {
  /** As in the contract: `iam.listUsers`. */
  readonly operation: string
  /** GET, POST or PUT. */
  readonly method: string
  /** Path with its parameters in braces: `/iam/v4/iam/users/{userId}`. */
  readonly path: string
  /** Key of the project. */
  readonly project: string
  /** From 1. */
  readonly attempt: number
  /** The same for all attempts; undefined where none is sent. */
  readonly requestId: string | undefined
}

/** How an attempt ended. */
export interface RequestOutcome {
  /** HTTP status; undefined when no answer came. */
  readonly status: number | undefined
  /** Undefined for an answer that was accepted. */
  readonly code: ErrorCode | undefined
  /** From sending to the end of the body, in milliseconds; 0 for what was not sent. */
  readonly durationMs: number
}

/** Called around every attempt. */
export interface Hooks {
  /**
   * Returns headers to send, those of a trace for instance. An error that it throws ends the
   * call, and is the `cause` of the call's error. It is waited for as long as `totalTimeoutMs`
   * and the call's signal allow.
   */
  readonly before?: (
    event: RequestEvent,
  ) => Readonly<Record<string, string>> | void | Promise<Readonly<Record<string, string>> | void>
  /** Gets the same object as `before`. What it throws is dropped: watching must not break. */
  readonly after?: (event: RequestEvent, outcome: RequestOutcome) => void
}
