import { rejectOnAbort } from '@servicekit/core'
import type { Route } from '@servicekit/contract/routes'
import { type Deadline, sendWithin, withDeadline } from './deadline.ts'
import type { ErrorCode } from './errors.ts'
import { type Headers, readHeaders } from './headers.ts'
import type { RequestEvent } from './hooks.ts'
import { limiter } from './limiter.ts'
import type { ResolvedClientOptions } from './options.ts'
import type { Prepared } from './request.ts'
import { failureCode, refusalCode } from './request-errors.ts'
import type { SendAttempt, SendInput } from './send-input.ts'
import type { TransportResponse } from './transport.ts'

/** Call in progress. */
export interface Call {
  readonly route: Route
  readonly input: SendInput
  readonly request: Prepared
  /** Timeout of one attempt, in milliseconds. */
  readonly timeoutMs: number
  /** Deadline of all attempts together. */
  readonly deadline: Deadline
}

/** Outcome of one attempt: a response, or the cause of having none. */
export interface Attempt {
  /** The attempt, as passed to hooks. */
  readonly event: RequestEvent
  /** Headers as sent. */
  readonly headers: Headers
  /** False if the attempt failed before it was sent, for example in a hook. */
  readonly isStarted: boolean
  readonly response?: TransportResponse
  readonly cause?: unknown
  /** Error code; undefined on success. */
  readonly code: ErrorCode | undefined
}

/**
 * Returns a function that makes one attempt: with the hooks of the client, no more at once
 * than it allows, and within its time limits. It does not reject.
 */
export function attemptMaker(
  client: ResolvedClientOptions,
): (call: Call, number: number) => Promise<Attempt> {
  const { hooks, runtime, transport } = client
  const limit = limiter(client.maxConcurrency)

  return async ({ route, input, request, timeoutMs, deadline }, number) => {
    const event: RequestEvent = {
      operation: route.id,
      method: route.method,
      path: route.path,
      project: client.projectKey,
      attempt: number,
      requestId: request.headers['x-request-id'],
    }
    let { headers } = request
    let startMs: number | undefined
    const send: SendAttempt = (attemptHeaders) =>
      limit(deadline, async () => {
        const hookHeaders =
          hooks.before && (await rejectOnAbort(deadline.signal, hooks.before(event)))
        headers = { ...readHeaders(hookHeaders ?? {}), ...headers, ...readHeaders(attemptHeaders) }
        startMs = runtime.now()
        return withDeadline(timeoutMs, deadline, (attemptDeadline) =>
          sendWithin(transport, { ...request, headers }, attemptDeadline),
        )
      })
    const run = async (): Promise<TransportResponse> =>
      input.wrapAttempt ? rejectOnAbort(deadline.signal, input.wrapAttempt(send)) : send()
    const outcome = await run().then(
      (response) => ({ response, code: codeOf(response, input) }),
      (cause: unknown) => ({ cause, code: failureCode(cause, input.signal, deadline) }),
    )
    const attempt: Attempt = { event, headers, isStarted: startMs !== undefined, ...outcome }
    const durationMs = startMs === undefined ? 0 : runtime.now() - startMs
    ignoreErrors(() =>
      hooks.after?.(event, { status: attempt.response?.status, code: attempt.code, durationMs }),
    )
    return attempt
  }
}

/** Calls a hook: one that fails must not break the request. */
export function ignoreErrors(callHook: () => void): void {
  try {
    callHook()
  } catch {
    // Ignored, as documented for hooks.
  }
}

/** Returns the error code of a response; undefined for a success. */
const codeOf = ({ status }: TransportResponse, { accept }: SendInput): ErrorCode | undefined =>
  (status >= 200 && status < 300) || accept?.includes(status) ? undefined : refusalCode(status)
