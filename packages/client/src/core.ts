import type { Route } from '@servicekit/contract/routes'
import type { Deadline } from './deadline.ts'
import { type RequestError, ServicekitError } from './errors.ts'
import type { RequestDetails } from './request-errors.ts'
import type { RequestEvent } from './hooks.ts'
import { limiter } from './limiter.ts'
import type { ClientOptions } from './options.ts'
import { requestMaker } from './request.ts'
import { mayRetry } from './retry.ts'
import type { TransportResponse } from './transport.ts'
import { rejectOnAbort, retryDelayMs } from '@servicekit/core'
import {
  conceal,
  deadlines,
  failed,
  neverSent,
  notJson,
  readHeaders,
  refused,
  resolveClientOptions,
  sendWithin,
} from '#diagnostics'

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
  readonly around?: (send: SendAttempt) => Promise<TransportResponse>
  /**
   * Returns true if a successful response rejects the credentials, as the data gateway does
   * with status 200.
   */
  readonly isUnauthenticated?: (response: CoreResponse) => boolean
  /**
   * Renews the credentials after a 401 or an unauthenticated response. If it resolves with
   * true, the request is sent again, including one that creates: nothing was done yet.
   */
  readonly renew?: () => Promise<boolean>
}

/** Sends one attempt with these headers, in addition to those of the call. */
type SendAttempt = (headers?: Readonly<Record<string, string>>) => Promise<TransportResponse>

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
  readonly shown: () => string
}

/** Sends all requests of one project on one instance. */
export interface Core {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string
  /** Sent as `x-service-key`. */
  readonly projectKey: string
  /**
   * Sends one operation, and retries it where its route allows that.
   *
   * @throws RequestError if there was no usable response after the last attempt.
   * @throws TypeError if `json` cannot be serialized.
   */
  readonly send: (route: Route, input: SendInput) => Promise<CoreResponse>
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * Creates the core of a client.
 *
 * @throws ConfigError for invalid options.
 */
export function createCore(options: ClientOptions): Core {
  const resolved = resolveClientOptions(options)
  const { baseUrl, projectKey: project, hooks, retry, runtime } = resolved
  const withinTime = deadlines()
  const limit = limiter(resolved.maxConcurrency)
  const requestOf = requestMaker(resolved)

  async function sendWithRetries(
    route: Route,
    input: SendInput,
    whole: Deadline,
  ): Promise<CoreResponse> {
    // Outside of the attempts: invalid input is not a failure to retry.
    const request = requestOf(route, input)
    const { id: operation, method, path } = route
    const untilMs = runtime.now() + resolved.totalTimeoutMs
    // These routes carry codes, states and tokens.
    const isPrivate = route.section === '4.1'
    const requestId = request.headers['x-request-id']
    // Two, because the first may have been used by another tab's renewal for an earlier
    // call.
    let renewals = 2

    for (let pausedMs = 0, attempt = 1; ; attempt++) {
      const event: RequestEvent = { operation, method, path, project, attempt, requestId }
      const details: RequestDetails = {
        project,
        ...input.details,
        url: isPrivate ? baseUrl + path : request.url,
        operation,
        attempts: attempt,
      }
      const typed = (cause: unknown): RequestError =>
        // From `around`, for example if no token could be fetched.
        cause instanceof ServicekitError
          ? (cause as RequestError)
          : failed(cause, input, whole, details)
      const inTime = <T>(work: T | Promise<T>): Promise<T> =>
        rejectOnAbort(whole.signal, work).catch((cause: unknown) => {
          throw typed(cause)
        })
      let { headers } = request
      const hidden = (text: string): string => conceal(text, headers, input.secrets)
      let startMs: number | undefined
      let status: number | undefined
      let result: CoreResponse | undefined
      let error: RequestError | undefined
      const send: SendAttempt = (own) =>
        limit(whole, async () => {
          const added = hooks.before && (await inTime(hooks.before(event)))
          headers = {
            ...readHeaders(added as SendInput['headers']),
            ...headers,
            ...readHeaders(own),
          }
          startMs = runtime.now()
          return withinTime(input.timeoutMs ?? resolved.timeoutMs, whole, (time) =>
            sendWithin(resolved.transport, { ...request, headers }, time),
          )
        })
      try {
        const response = await (input.around ? inTime(input.around(send)) : send())
        const { text } = response
        status = response.status
        if ((status < 200 || status > 299) && !input.accept?.includes(status)) {
          error = refused({ ...response, text: hidden(text) }, input.intent, details, runtime.now())
        } else {
          const shown = (): string => (isPrivate ? '' : hidden(text))
          const json = (): unknown => {
            try {
              return text.trim() ? (JSON.parse(text) as unknown) : undefined
            } catch {
              // No cause: its message would quote the body, which may contain secrets.
              throw notJson(input.intent, { ...details, status: status! }, shown)
            }
          }
          result = { ...response, shown, json }
        }
      } catch (cause) {
        error = typed(cause)
      }
      try {
        const durationMs = startMs === undefined ? 0 : runtime.now() - startMs
        hooks.after?.(event, { status, code: error?.code, durationMs })
      } catch {
        // A failing hook must not break the request.
      }
      const isRefused = error ? status === 401 : input.isUnauthenticated?.(result!)
      if (isRefused && input.renew && renewals-- > 0 && (await inTime(input.renew()))) continue
      if (!error) return result!
      // Not among the details: a message that is unique each time cannot be grouped.
      ;(error as Writable<RequestError>).requestId ??= requestId
      const delayMs = retryDelayMs(attempt, error.retryAfterMs, retry, runtime.random)
      const isFinal =
        // The `before` hook refused the attempt, and would refuse it again.
        startMs === undefined ||
        /ABORTED|LARGE/.test(error.code) ||
        // Wait for the window of a rate limit, unless retries are off.
        (attempt >= retry.attempts &&
          !(status === 429 && pausedMs && pausedMs < 4 * retry.maxDelayMs)) ||
        !mayRetry(input.effect ?? route.effect, status, neverSent(error.cause)) ||
        // Do not start a pause that exceeds the total timeout.
        runtime.now() + delayMs >= untilMs
      if (isFinal) throw error
      pausedMs += delayMs
      await inTime(runtime.sleep(delayMs, whole.signal))
    }
  }

  return {
    baseUrl,
    projectKey: project,
    send: (route, input) =>
      withinTime(resolved.totalTimeoutMs, input, (whole) => sendWithRetries(route, input, whole)),
  }
}
