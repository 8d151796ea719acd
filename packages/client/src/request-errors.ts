import { type Details, serviceMessage } from '@servicekit/core'
import { type ErrorCode, RequestError, ResponseShapeError, ServicekitError } from './errors.ts'
import type { Deadline } from './deadline.ts'
import { parseBody } from './parse-body.ts'
import { BodyTooLargeError, type TransportResponse } from './transport.ts'
import { readConnectionFailure } from '#network'
import { parseRetryAfter } from './retry-delay.ts'

/** Context of the errors of one attempt. */
export interface ErrorContext {
  readonly intent: string
  readonly details: Details
  readonly requestId?: string | undefined
  /** Removes the secrets of the request from a text. */
  readonly hide: (text: string) => string
}

/**
 * Creates the error for a refused request.
 *
 * @param retryAfterMs Wait that the service requested.
 */
export function refusalError(
  { intent, details, requestId, hide }: ErrorContext,
  response: TransportResponse,
  retryAfterMs: number | undefined,
): RequestError {
  const { status } = response
  const body = parseBody(hide(response.text))
  return new RequestError(`Cannot ${intent}: the service responded with ${status}`, {
    code: refusalCode(status),
    status,
    body,
    retryAfterMs,
    requestId,
    details: {
      ...details,
      message: serviceMessage(body),
      location: redirection(response),
      retryAfter: retryAfterMs === undefined ? undefined : `${Math.ceil(retryAfterMs / 1000)} s`,
    },
    help: helpFor(status, body),
  })
}

export const refusalCode = (status: number): ErrorCode =>
  status === 429 ? 'RATE_LIMITED' : 'REQUEST_REFUSED'

const isRedirect = (status: number): boolean => status === 0 || (status >= 300 && status < 400)

function helpFor(status: number, body: unknown): string | undefined {
  if (isRedirect(status)) {
    return 'Redirects are not followed. Set baseUrl to the final URL of the instance.'
  }
  // Refused before routing: without the header of the key, there is no project.
  const isUnrouted = status === 400 && (body as { IsSuccess?: unknown })?.IsSuccess === false
  return helps[isUnrouted ? 404 : status]
}
const helps: Readonly<Record<number, string>> = {
  401: 'Check the project key, and sign in if the operation requires it.',
  403: 'Check the permissions of the caller and the project key.',
  404: 'Check baseUrl, projectKey and preset.',
  429: 'The rate limit is exceeded. Try again in a minute.',
}

/**
 * Returns the target of a redirect without its query, which may contain a code or token, and
 * without user and password.
 */
const redirection = ({ status, headers }: TransportResponse): string | undefined =>
  isRedirect(status) ? headers['location']?.replace(/[?#].*|[^/]*@/gs, '') : undefined

/**
 * Returns the wait that the service requested, in milliseconds.
 *
 * @param nowMs Current time, used for a date if the response has none of its own: the clock
 *   of this machine may be wrong.
 */
export const retryAfterOf = ({ headers }: TransportResponse, nowMs: number): number | undefined =>
  parseRetryAfter(headers['retry-after'], Date.parse(headers['date'] ?? '') || nowMs)

/**
 * Returns the code of an attempt without a response.
 *
 * @param signal Signal of the caller.
 * @param deadline Deadline of the call.
 */
export function failureCode(
  cause: unknown,
  signal: AbortSignal | undefined,
  deadline: Deadline,
): ErrorCode {
  // From `wrapAttempt`, for example if no token could be fetched.
  if (cause instanceof ServicekitError) return cause.code
  if (cause instanceof BodyTooLargeError) return 'RESPONSE_TOO_LARGE'
  if (signal?.aborted) return 'REQUEST_ABORTED'
  const isTimeout = (cause as Partial<Error> | undefined)?.name === 'TimeoutError'
  return deadline.signal.aborted || isTimeout || readConnectionFailure(cause).isTimeout
    ? 'REQUEST_TIMED_OUT'
    : 'REQUEST_FAILED'
}

/** Creates the error for an attempt without a response; see {@link failureCode}. */
export function failureError(
  { intent, details, requestId }: ErrorContext,
  code: ErrorCode,
  cause: unknown,
): ServicekitError {
  if (cause instanceof ServicekitError) return cause
  dropData(cause)
  const [reason, help] = failures[code] ?? connectionFailure(cause)
  const init = { code, requestId, details, cause, help }
  return new RequestError(`Cannot ${intent}: ${reason}`, init)
}

/**
 * Removes the bytes that undici, the `fetch` of Node and of servers built on it, adds to the error
 * for a response that it cannot parse: the service may have echoed secrets of the request.
 */
function dropData(cause: unknown): void {
  if (!(cause instanceof Error)) return
  if ('data' in cause) cause.data = undefined
  dropData(cause.cause)
}

/** Reason and help. */
const failures: Readonly<Partial<Record<ErrorCode, readonly [string, string?]>>> = {
  RESPONSE_TOO_LARGE: ['the response is too large', 'Raise maxBytes if this is expected.'],
  REQUEST_ABORTED: ['the call was aborted'],
  REQUEST_TIMED_OUT: ['the request timed out'],
}

/** Returns reason and help. */
function connectionFailure(cause: unknown): readonly [string, string] {
  const { reason, help = 'Check that the instance is running and reachable.' } =
    readConnectionFailure(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  return [reason ?? (message || 'the connection failed'), help]
}

/**
 * Creates the error for a response that is not JSON.
 *
 * @param redactedText Body without secrets.
 */
export const notJsonError = (
  { intent, details }: ErrorContext,
  status: number,
  redactedText: string,
): ResponseShapeError =>
  new ResponseShapeError(`Cannot ${intent}: the response is not JSON`, {
    details: {
      ...details,
      status,
      received: redactedText === '' ? undefined : excerpt(redactedText),
    },
    help: 'The response may be truncated, or may come from a proxy.',
  })

/**
 * Returns the start and end of a text: enough to recognize an HTML page or a truncated
 * response.
 */
function excerpt(text: string): string {
  const flat = text.slice(0, 1000).replaceAll(/\s+/g, ' ')
  return text.length <= 120 ? flat : `${flat.slice(0, 80)} … ${text.slice(-30)}`
}
