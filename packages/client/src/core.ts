import type { Route } from '@servicekit/contract/routes'
import type { Deadline } from './deadline.ts'
import { type RequestError, ServicekitError } from './errors.ts'
import type { RequestDetails } from './request-errors.ts'
import type { RequestEvent } from './hooks.ts'
import { limiter } from './limiter.ts'
import type { ClientOptions } from './options.ts'
import { requestMaker } from './request.ts'
import { mayRetry } from './retry.ts'
import type { CoreResponse, SendAttempt, SendInput } from './send-input.ts'
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

export type { CallOptions, CoreResponse, SendInput } from './send-input.ts'

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
  const withDeadline = deadlines()
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
      const untilDeadline = <T>(work: T | Promise<T>): Promise<T> =>
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
          const added = hooks.before && (await untilDeadline(hooks.before(event)))
          headers = {
            ...readHeaders(added as SendInput['headers']),
            ...headers,
            ...readHeaders(own),
          }
          startMs = runtime.now()
          return withDeadline(input.timeoutMs ?? resolved.timeoutMs, whole, (time) =>
            sendWithin(resolved.transport, { ...request, headers }, time),
          )
        })
      try {
        const response = await (input.around ? untilDeadline(input.around(send)) : send())
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
      if (isRefused && input.renew && renewals-- > 0 && (await untilDeadline(input.renew())))
        continue
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
      await untilDeadline(runtime.sleep(delayMs, whole.signal))
    }
  }

  return {
    baseUrl,
    projectKey: project,
    send: (route, input) =>
      withDeadline(resolved.totalTimeoutMs, input, (whole) => sendWithRetries(route, input, whole)),
  }
}
