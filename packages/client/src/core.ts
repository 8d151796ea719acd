import type { Route } from '@servicekit/contract/routes'
import type { Deadline } from './deadline.ts'
import { type RequestError, ServicekitError } from './errors.ts'
import type { RequestFacts } from './failures.ts'
import type { RequestEvent } from './hooks.ts'
import { limiter } from './limiter.ts'
import type { ClientOptions } from './options.ts'
import { requestMaker } from './request.ts'
import { mayRetry, retryDelayMs } from './retry.ts'
import type { TransportResponse } from './transport.ts'
import { untilAborted } from './until-aborted.ts'
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
} from '#words'

/** What a single call may set. */
export interface CallOptions {
  /** Ends the call, with `REQUEST_ABORTED`. */
  readonly signal?: AbortSignal
  /** Longest wait for one attempt, in milliseconds; that of the client by default. */
  readonly timeoutMs?: number
}

/** What one request is made of, beside its route. */
export interface SendInput extends CallOptions {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>
  /** Those that the route names are sent; undefined ones are not. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  /** Sent as `application/json`. */
  readonly json?: unknown
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>
  /** Of this call alone; they go before those of the client. */
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that are answers and not failures, beside 200 to 299. */
  readonly accept?: readonly number[]
  /** Overrides the route's effect: a gateway query may be repeated, a mutation not. */
  readonly effect?: Route['effect']
  /** What the operation does, for the first line of an error: `read the languages`. */
  readonly intent: string
  /** Beside project and URL: `language`, `module` … */
  readonly facts?: Readonly<Record<string, string | number>>
  /** Parts of the body that no error may show, should the service send them back. */
  readonly secrets?: readonly (string | null | undefined)[]
  /**
   * Sends each attempt: with headers that it needs anew, such as a token, and with a look at
   * the response, whatever its status. It is waited for as long as the call has time.
   */
  readonly around?: (send: SendAttempt) => Promise<TransportResponse>
  /** Whether an accepted answer refuses the credentials: the data gateway does so with status 200. */
  readonly isUnauthenticated?: (answer: Answer) => boolean
  /**
   * Gets new credentials after a 401, or an answer that is unauthenticated. The request is
   * sent again when it resolves with true, also one that creates: nothing was done.
   */
  readonly renew?: () => Promise<boolean>
}

/** Sends one attempt with these headers beside those of the call. */
export type SendAttempt = (headers?: Readonly<Record<string, string>>) => Promise<TransportResponse>

/** An answer of the service, before it is read. */
export interface Answer {
  /** HTTP status. */
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Cookies that the answer sets; empty in browsers, which keep them to themselves. */
  readonly setCookie?: readonly string[]
  /** The body, decoded. */
  readonly text: string
  /**
   * The body as JSON; undefined where it is empty.
   * @throws ResponseShapeError RESPONSE_INVALID where it is not JSON.
   */
  readonly json: () => unknown
  /** The body without what the request kept secret, for errors; empty where all of it is. */
  readonly shown: () => string
}

/** What every operation sends through: one project on one instance. */
export interface Core {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** Sent as `x-service-key`. */
  readonly projectKey: string
  /**
   * Sends one operation, once more where its route allows it.
   *
   * @throws RequestError when no usable answer came after the last attempt.
   * @throws TypeError when `json` cannot be written as JSON.
   */
  readonly send: (route: Route, input: SendInput) => Promise<Answer>
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] }

/** Makes the core of a client. @throws ConfigError for options that cannot be used. */
export function createCore(options: ClientOptions): Core {
  const resolved = resolveClientOptions(options)
  const { baseUrl, projectKey: project, hooks, retry, runtime } = resolved
  const withinTime = deadlines()
  const limit = limiter(resolved.maxConcurrency)
  const requestOf = requestMaker(resolved)

  async function sendUntilAnswered(
    route: Route,
    input: SendInput,
    whole: Deadline,
  ): Promise<Answer> {
    // Outside of the attempts: what the caller got wrong is no failure to be repeated.
    const request = requestOf(route, input)
    const { id: operation, method, path } = route
    const untilMs = runtime.now() + resolved.totalTimeoutMs
    // Codes, states and tokens travel there.
    const isPrivate = route.section === '4.1'
    const requestId = request.headers['x-request-id']
    // The second one is for a renewal that another tab made for an earlier call.
    let renewals = 2

    for (let pausedMs = 0, attempt = 1; ; attempt++) {
      const event: RequestEvent = {
        operation,
        method,
        path,
        project,
        attempt,
        requestId,
      }
      const facts: RequestFacts = {
        project,
        ...input.facts,
        url: isPrivate ? baseUrl + path : request.url,
        operation,
        attempts: attempt,
      }
      const typed = (cause: unknown): RequestError =>
        // Of a token, for instance, that could not be had.
        cause instanceof ServicekitError
          ? (cause as RequestError)
          : failed(cause, input, whole, facts)
      const inTime = <T>(work: T | Promise<T>): Promise<T> =>
        untilAborted(whole.signal, work).catch((cause: unknown) => {
          throw typed(cause)
        })
      let { headers } = request
      const hidden = (text: string): string => conceal(text, headers, input.secrets)
      let startMs: number | undefined
      let status: number | undefined
      let answer: Answer | undefined
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
        if (`${status}`[0] !== '2' && !input.accept?.includes(status)) {
          error = refused({ ...response, text: hidden(text) }, input.intent, facts, runtime.now())
        } else {
          const shown = (): string => (isPrivate ? '' : hidden(text))
          const json = (): unknown => {
            try {
              return text.trim() ? (JSON.parse(text) as unknown) : undefined
            } catch {
              // The cause would quote the text as well, and with it what may not be shown.
              throw notJson(input.intent, { ...facts, status: status! }, shown)
            }
          }
          answer = { ...response, shown, json }
        }
      } catch (cause) {
        error = typed(cause)
      }
      try {
        const durationMs = startMs === undefined ? 0 : runtime.now() - startMs
        hooks.after?.(event, { status, code: error?.code, durationMs })
      } catch {
        // Watching must not break what is watched.
      }
      const isRefused = error ? status === 401 : input.isUnauthenticated?.(answer!)
      if (isRefused && input.renew && renewals-- > 0 && (await inTime(input.renew()))) continue
      if (!error) return answer!
      // Not among the facts: messages that are never the same twice cannot be grouped.
      ;(error as Writable<RequestError>).requestId ??= requestId
      const delayMs = retryDelayMs(attempt, error.retryAfterMs, retry, runtime.random)
      const isFinal =
        // What a hook refuses, it refuses again.
        startMs === undefined ||
        /ABORTED|LARGE/.test(error.code) ||
        // The window of a rate limit is waited out, unless retries are off.
        (attempt >= retry.attempts &&
          !(status === 429 && pausedMs && pausedMs < 4 * retry.maxDelayMs)) ||
        !mayRetry(input.effect ?? route.effect, status, neverSent(error.cause)) ||
        // A pause that nobody would live to see the end of is not begun.
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
      withinTime(resolved.totalTimeoutMs, input, (whole) => sendUntilAnswered(route, input, whole)),
  }
}
