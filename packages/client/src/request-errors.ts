import type { SendInput } from './send-input.ts'
import type { Deadline } from './deadline.ts'
import { RequestError, ResponseShapeError } from './errors.ts'
import { parseBody } from './parse-body.ts'
import { parseRetryAfter, serviceMessage } from '@servicekit/core'
import { BodyTooLargeError, type TransportResponse } from './transport.ts'

export type RequestDetails = Readonly<Record<string, string | number>>

/**
 * Creates the error for a refused request.
 *
 * @param nowMs Current time, used when `Retry-After` is a date and the response has no `Date`.
 */
export function refused(
  response: TransportResponse,
  intent: string,
  details: RequestDetails,
  nowMs: number,
): RequestError {
  const { status } = response
  const body = parseBody(response.text)
  const serviceText = serviceMessage(body)
  // By the clock of the server, since that of this machine may be wrong.
  const sentMs = Date.parse(response.headers['date'] ?? '') || nowMs
  const waitMs = parseRetryAfter(response.headers['retry-after'], sentMs)
  const location = redirection(response)
  return new RequestError(`Cannot ${intent}: the service responded with ${status}`, {
    code: status === 429 ? 'RATE_LIMITED' : 'REQUEST_REFUSED',
    status,
    body,
    retryAfterMs: waitMs,
    details: {
      ...details,
      ...(serviceText === undefined ? {} : { message: serviceText }),
      ...(location === undefined ? {} : { location }),
      ...(waitMs === undefined ? {} : { retryAfter: `${Math.ceil(waitMs / 1000)} s` }),
    },
    ...helpFor(status),
  })
}

function helpFor(status: number): { help: string } | Record<never, never> {
  if (status === 401) {
    return {
      help: 'Check the project key, and sign in if the operation requires it.',
    }
  }
  if (status === 403) return { help: 'Check the permissions of the caller and the project key.' }
  if (status === 404) return { help: 'Check baseUrl and projectKey.' }
  if (status === 429) return { help: 'The rate limit is exceeded. Wait a minute and try again.' }
  if (status === 0 || (status >= 300 && status < 400)) {
    return { help: 'Redirects are not followed. Set baseUrl to the final URL of the instance.' }
  }
  return {}
}

/** Returns the target of a redirect without its query, which may contain a code or token. */
function redirection({ status, headers }: TransportResponse): string | undefined {
  return status >= 300 && status < 400 ? headers['location']?.replace(/[?#].*$/s, '') : undefined
}

/** Creates the error for an attempt without a response. */
export function failed(
  cause: unknown,
  { intent, signal }: Pick<SendInput, 'intent' | 'signal'>,
  whole: Pick<Deadline, 'signal'>,
  details: RequestDetails,
): RequestError {
  dropData(cause)
  const shared = { status: undefined, details, cause }
  if (cause instanceof BodyTooLargeError) {
    return new RequestError(`Cannot ${intent}: the response is too large`, {
      ...shared,
      code: 'RESPONSE_TOO_LARGE',
      help: 'Raise maxBytes if a response of this size is expected.',
    })
  }
  if (signal?.aborted) {
    return new RequestError(`Cannot ${intent}: the call was aborted`, {
      ...shared,
      code: 'REQUEST_ABORTED',
    })
  }
  if (whole.signal.aborted || isTimeout(cause)) {
    return new RequestError(`Cannot ${intent}: the request timed out`, {
      ...shared,
      code: 'REQUEST_TIMED_OUT',
    })
  }
  return new RequestError(`Cannot ${intent}: ${networkReason(cause)}`, {
    ...shared,
    code: 'REQUEST_FAILED',
    help: 'Check that the instance is running and reachable.',
  })
}

/**
 * Removes the bytes that undici adds to the error for a response that it cannot parse: the
 * service may have echoed secrets of the request.
 */
function dropData(cause: unknown): void {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('data' in at) at.data = undefined
  }
}

const isTimeout = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause.name === 'TimeoutError' || /TIMEOUT|TIMEDOUT/.test(networkCode(cause) ?? ''))

function networkReason(cause: unknown): string {
  const code = networkCode(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  return code === undefined ? message || 'the connection failed' : `the connection failed (${code})`
}

/** Returns an error code such as `ECONNREFUSED`, however deep it is nested in causes. */
function networkCode(cause: unknown): string | undefined {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}

/** Returns true if it is certain that not a single byte of the request was sent. */
export const neverSent = (cause: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    networkCode(cause) ?? '',
  )

/**
 * Creates the error for a response that is not JSON.
 *
 * @param shown Returns the part of the response that may be shown.
 */
export function notJson(
  intent: string,
  details: RequestDetails,
  shown: () => string,
): ResponseShapeError {
  const received = shown()
  return new ResponseShapeError(`Cannot ${intent}: the response is not JSON`, {
    details: { ...details, ...(received && { received: excerpt(received) }) },
    help: 'The response may be truncated, or may come from a proxy.',
  })
}

/**
 * Returns the start and end of a text: enough to recognize an HTML page or a truncated
 * response.
 */
function excerpt(text: string): string {
  const flat = text.slice(0, 1000).replaceAll(/\s+/g, ' ')
  return text.length <= 120 ? flat : `${flat.slice(0, 80)} … ${text.slice(-30)}`
}
