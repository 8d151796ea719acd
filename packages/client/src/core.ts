import type { Route } from '@servicekit/contract/routes'
import type { OnAbort } from './deadline.ts'
import type { RequestError } from './errors.ts'
import type { RequestEvent } from './hooks.ts'
import { type Limiter, limiter } from './limiter.ts'
import type { ClientOptions, ResolvedClientOptions } from './options.ts'
import { type Prepared, requestOf } from './request.ts'
import { type Failure, mayRetry, retryDelayMs } from './retry.ts'
import type { TransportResponse } from './transport.ts'
import {
  failed,
  neverSent,
  notJson,
  redact,
  refused,
  resolveClientOptions,
  retryAfterMs,
  secretsOf,
  shareListeners,
  withDeadline,
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
  const { baseUrl, projectKey, totalTimeoutMs: ms } = resolved
  const onAbort = shareListeners()
  const limit = limiter(resolved.maxConcurrency, onAbort)
  return {
    baseUrl,
    projectKey,
    send: async (route, input) => {
      // Outside of the attempts: what the caller got wrong is no failure to be repeated.
      const requestId = resolved.requestIds ? crypto.randomUUID() : undefined
      const request = requestOf(resolved, route, input, requestId)
      return withDeadline({ ms, parent: input.signal, onAbort }, (whole) =>
        sendUntilAnswered({ ...resolved, route, input, request, requestId, whole, onAbort, limit }),
      )
    },
  }
}

interface Sending extends ResolvedClientOptions {
  readonly route: Route
  readonly input: SendInput
  readonly request: Prepared
  readonly requestId: string | undefined
  /** Aborts when the caller does, and when the time for all attempts is up. */
  readonly whole: AbortSignal
  readonly onAbort: OnAbort
  readonly limit: Limiter
}

async function sendUntilAnswered(sending: Sending): Promise<Answer> {
  const { route, input, request, requestId, whole, onAbort, limit } = sending
  const { retry, runtime, hooks, transport, projectKey: project } = sending
  const { id: operation, method, path } = route
  const deadlineMs = runtime.now() + sending.totalTimeoutMs
  const secrets = secretsOf(request.headers, input.secrets)
  // Codes, states and tokens travel there.
  const isPrivate = route.section === '4.1'
  const url = isPrivate ? request.url.replace(/\?.*/s, '') : request.url
  const facts = { project, ...input.facts, url, operation }

  for (let attempt = 1; ; attempt++) {
    const event: RequestEvent = { operation, method, path, project, attempt, requestId }
    const tried = { ...facts, attempts: attempt }
    let startMs = runtime.now()
    let response: TransportResponse | undefined
    let failure: Failure | undefined
    let error: RequestError | undefined
    try {
      response = await limit(whole, async () => {
        const headers = { ...(await hooks.before?.(event)), ...request.headers }
        startMs = runtime.now()
        const ms = input.timeoutMs ?? sending.timeoutMs
        return withDeadline({ ms, parent: whole, onAbort }, (signal) => {
          signal.throwIfAborted()
          return transport.send({ ...request, headers, signal })
        })
      })
      const { status, text } = response
      if (!isAccepted(status, input.accept)) {
        failure = { kind: 'status', status }
        error = refused({ ...response, text: redact(text, secrets) }, input.intent, {
          facts: tried,
          retryAfterMs: retryAfterMs(response.headers['retry-after'], runtime.now()),
        })
      }
    } catch (cause) {
      failure = { kind: 'network', sent: !neverSent(cause) }
      error = failed(cause, input, whole, tried)
    }
    try {
      const durationMs = runtime.now() - startMs
      hooks.after?.(event, { status: response?.status, code: error?.code, durationMs })
    } catch {
      // Watching must not break what is watched.
    }
    if (!error || !failure) {
      return answer(response!, input.intent, facts, isPrivate ? undefined : secrets)
    }
    const isFinal = error.code === 'REQUEST_ABORTED' || error.code === 'RESPONSE_TOO_LARGE'
    const isRepeatable = mayRetry(input.effect ?? route.effect, failure)
    if (isFinal || attempt >= retry.attempts || !isRepeatable) throw error
    const { random } = runtime
    const delayMs = retryDelayMs({ attempt, askedMs: error.retryAfterMs, retry, random })
    // A pause that nobody would live to see the end of is not begun.
    if (runtime.now() + delayMs >= deadlineMs) throw error
    await runtime.sleep(delayMs, whole).catch((reason: unknown) => {
      // Out of time or called off while waiting: the last failure says more than "aborted".
      throw input.signal?.aborted ? failed(reason, input, whole, facts) : error
    })
  }
}

const isAccepted = (status: number, also: readonly number[] = []): boolean =>
  (status >= 200 && status < 300) || also.includes(status)

/** @param secrets What may not be shown of a body; undefined where nothing of it may. */
function answer(
  response: TransportResponse,
  intent: string,
  facts: Readonly<Record<string, string | number>>,
  secrets: readonly string[] | undefined,
): Answer {
  const { text, status } = response
  const shown = (): string => (secrets ? redact(text, secrets) : '')
  return {
    ...response,
    shown,
    json() {
      if (text.trim() === '') return undefined
      try {
        return JSON.parse(text) as unknown
      } catch {
        // The cause would quote the text as well, and with it what may not be shown.
        throw notJson(intent, { ...facts, status }, shown() || undefined)
      }
    },
  }
}
