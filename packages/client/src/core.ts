import type { Route } from '@servicekit/contract/routes'
import type { Deadline } from './deadline.ts'
import type { RequestError } from './errors.ts'
import type { RequestFacts } from './failures.ts'
import type { RequestEvent } from './hooks.ts'
import { limiter } from './limiter.ts'
import type { ClientOptions } from './options.ts'
import { type Prepared, requestMaker } from './request.ts'
import { mayRetry, retryDelayMs } from './retry.ts'
import type { TransportResponse } from './transport.ts'
import {
  deadlines,
  failed,
  neverSent,
  notJson,
  redact,
  refused,
  resolveClientOptions,
  retryAfterMs,
  secretsOf,
  sendWithin,
} from '#words'

/** What a single call may set. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Longest wait for one attempt, in milliseconds; that of the client by default. */
  readonly timeoutMs?: number
}

export interface SendInput extends CallOptions {
  /** Values of the path's parameters. */
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly json?: unknown
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>
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
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Cookies that the answer sets; empty in browsers, which keep them to themselves. */
  readonly setCookie?: readonly string[]
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
  readonly baseUrl: string
  readonly projectKey: string
  /**
   * @throws RequestError when no usable answer came after the last attempt.
   * @throws TypeError when `json` cannot be written as JSON.
   */
  readonly send: (route: Route, input: SendInput) => Promise<Answer>
}

/** Makes the core of a client. @throws ConfigError for options that cannot be used. */
export function createCore(options: ClientOptions): Core {
  const resolved = resolveClientOptions(options)
  const { baseUrl, projectKey: project, hooks, retry, runtime } = resolved
  const startDeadline = deadlines()
  const limit = limiter(resolved.maxConcurrency)
  const requestOf = requestMaker(resolved)

  async function sendUntilAnswered(
    route: Route,
    input: SendInput,
    request: Prepared,
    whole: Deadline,
  ): Promise<Answer> {
    const { id: operation, method, path } = route
    const { intent } = input
    const endMs = runtime.now() + resolved.totalTimeoutMs
    // Codes, states and tokens travel there.
    const isPrivate = route.section === '4.1'
    // What only a failure needs is not made before there is one.
    const hidden = (text: string): string => redact(text, secretsOf(request.headers, input.secrets))
    const facts = (more?: object): RequestFacts => {
      const url = isPrivate ? request.url.replace(/\?.*/s, '') : request.url
      return { project, ...input.facts, url, operation, ...more }
    }

    for (let attempt = 1; ; attempt++) {
      const requestId = request.headers['x-request-id']
      const event: RequestEvent = { operation, method, path, project, attempt, requestId }
      let startMs = runtime.now()
      let response: TransportResponse | undefined
      let error: RequestError | undefined
      let isUnsent = false
      try {
        input.signal?.throwIfAborted()
        response = await limit(whole, async () => {
          const headers = { ...(await hooks.before?.(event)), ...request.headers }
          startMs = runtime.now()
          const time = startDeadline(input.timeoutMs ?? resolved.timeoutMs, whole)
          try {
            return await sendWithin(resolved.transport, { ...request, headers }, time)
          } finally {
            time.close?.()
          }
        })
        const { status, text } = response
        if ((status < 200 || status > 299) && !input.accept?.includes(status)) {
          error = refused({ ...response, text: hidden(text) }, intent, {
            facts: facts({ attempts: attempt }),
            retryAfterMs: retryAfterMs(response.headers['retry-after'], runtime.now()),
          })
        }
      } catch (cause) {
        isUnsent = neverSent(cause)
        error = failed(cause, input, whole, facts({ attempts: attempt }))
      }
      try {
        const durationMs = runtime.now() - startMs
        hooks.after?.(event, { status: response?.status, code: error?.code, durationMs })
      } catch {
        // Watching must not break what is watched.
      }
      if (!error) {
        const shown = (): string => (isPrivate ? '' : hidden(response!.text))
        return { ...response!, shown, json: () => jsonOf(response!, intent, facts, shown) }
      }
      const { code, status, retryAfterMs: askedMs } = error
      const isFinal = code === 'REQUEST_ABORTED' || code === 'RESPONSE_TOO_LARGE'
      const isRepeatable = mayRetry(input.effect ?? route.effect, status, isUnsent)
      if (isFinal || attempt >= retry.attempts || !isRepeatable) throw error
      const delayMs = retryDelayMs(attempt, askedMs, retry, runtime.random)
      // A pause that nobody would live to see the end of is not begun.
      if (runtime.now() + delayMs >= endMs) throw error
      await runtime.sleep(delayMs, whole.signal).catch((reason: unknown) => {
        // Out of time or called off while waiting: the last failure says more than "aborted".
        throw input.signal?.aborted ? failed(reason, input, whole, facts()) : error
      })
    }
  }

  return {
    baseUrl,
    projectKey: project,
    send: async (route, input) => {
      // Outside of the attempts: what the caller got wrong is no failure to be repeated.
      const request = requestOf(route, input)
      const whole = startDeadline(resolved.totalTimeoutMs, input)
      try {
        return await sendUntilAnswered(route, input, request, whole)
      } finally {
        whole.close?.()
      }
    },
  }
}

function jsonOf(
  { text, status }: TransportResponse,
  intent: string,
  facts: (more: object) => RequestFacts,
  shown: () => string,
): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The cause would quote the text as well, and with it what may not be shown.
    throw notJson(intent, facts({ status }), shown() || undefined)
  }
}
