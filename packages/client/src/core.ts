import { projectHeader, type Route } from '@servicekit/contract/routes'
import { type OnAbort, shareListeners, withDeadline } from './deadline.ts'
import { type RequestError, ResponseShapeError } from './errors.ts'
import { excerpt, failed, neverSent, refused } from './failures.ts'
import { readHeaders, redact, secretsOf } from './headers.ts'
import { type ClientOptions, type ResolvedClientOptions, resolveClientOptions } from './options.ts'
import { type Failure, mayRetry, retryAfterMs, retryDelayMs } from './retry.ts'
import type { TransportRequest, TransportResponse } from './transport.ts'

/** What a single call may set. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** Longest wait for one attempt, in milliseconds; that of the client by default. */
  readonly timeoutMs?: number
}

export interface SendInput extends CallOptions {
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly json?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that are answers and not failures, beside 200 to 299. */
  readonly accept?: readonly number[]
  /** Overrides the route's effect: a gateway query may be repeated, a mutation not. */
  readonly effect?: Route['effect']
  /** What the operation does, for the first line of an error: `read the languages`. */
  readonly intent: string
  /** Beside project and URL: `language`, `module` … */
  readonly facts?: Readonly<Record<string, string | number>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /**
   * The body as JSON; undefined where it is empty.
   * @throws ResponseShapeError RESPONSE_INVALID where it is not JSON.
   */
  readonly json: () => unknown
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
  const onAbort = shareListeners()
  return {
    baseUrl: resolved.baseUrl,
    projectKey: resolved.projectKey,
    send: async (route, input) => {
      // Outside of the attempts: what the caller got wrong is no failure to be repeated.
      const request = requestOf(resolved, route, input)
      const deadline = { ms: resolved.totalTimeoutMs, parent: input.signal, onAbort }
      return withDeadline(deadline, (whole) =>
        sendUntilAnswered(resolved, { route, input, request, whole, onAbort }),
      )
    },
  }
}

type Prepared = Omit<TransportRequest, 'signal'>

interface Sending {
  readonly route: Route
  readonly input: SendInput
  readonly request: Prepared
  /** Aborts when the caller does, and when the time for all attempts is up. */
  readonly whole: AbortSignal
  readonly onAbort: OnAbort
}

async function sendUntilAnswered(
  options: ResolvedClientOptions,
  { route, input, request, whole, onAbort }: Sending,
): Promise<Answer> {
  const { retry, runtime } = options
  const timeoutMs = input.timeoutMs ?? options.timeoutMs
  const deadlineMs = runtime.now() + options.totalTimeoutMs
  const effect = input.effect ?? route.effect
  const secrets = secretsOf({ ...options.headers, ...readHeaders(input.headers) })
  const facts = {
    project: options.projectKey,
    ...input.facts,
    url: request.url,
    operation: route.id,
  }

  for (let attempt = 1; ; attempt++) {
    let failure: Failure
    let error: RequestError
    try {
      const response = await withDeadline({ ms: timeoutMs, parent: whole, onAbort }, (signal) => {
        signal.throwIfAborted()
        return options.transport.send({ ...request, signal })
      })
      if (isAccepted(response.status, input.accept)) {
        return answer(response, input.intent, facts, secrets)
      }
      failure = { kind: 'status', status: response.status }
      error = refused({ ...response, text: redact(response.text, secrets) }, input.intent, {
        facts: { ...facts, attempts: attempt },
        retryAfterMs: retryAfterMs(response.headers['retry-after'], runtime.now()),
      })
    } catch (cause) {
      failure = { kind: 'network', sent: !neverSent(cause) }
      error = failed(cause, input, whole, { ...facts, attempts: attempt })
      if (error.code === 'REQUEST_ABORTED' || error.code === 'RESPONSE_TOO_LARGE') throw error
    }
    if (attempt >= retry.attempts || !mayRetry(effect, failure)) throw error
    const { retryAfterMs: askedMs } = error
    const delayMs = retryDelayMs({ attempt, askedMs, retry, random: runtime.random })
    // A pause that nobody would live to see the end of is not begun.
    if (runtime.now() + delayMs >= deadlineMs) throw error
    await runtime.sleep(delayMs, whole).catch((reason: unknown) => {
      // Out of time or called off while waiting: the last failure says more than "aborted".
      throw input.signal?.aborted ? failed(reason, input, whole, facts) : error
    })
  }
}

function requestOf(options: ResolvedClientOptions, route: Route, input: SendInput): Prepared {
  const body = input.json === undefined ? undefined : JSON.stringify(input.json)
  return {
    method: route.method,
    url: options.baseUrl + route.path + queryString(route, input.query),
    headers: {
      accept: 'application/json',
      ...options.headers,
      [projectHeader]: options.projectKey,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...readHeaders(input.headers),
    },
    ...(body === undefined ? {} : { body }),
    maxBytes: options.maxBytes,
  }
}

function queryString(route: Route, query: SendInput['query'] = {}): string {
  const parts = (route.query ?? [])
    .filter((name) => query[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(wellFormed(String(query[name])))}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Half of a character has no place in a URL; it is replaced as `fetch` and forms do it. */
const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\ufffd')

const isAccepted = (status: number, also: readonly number[] = []): boolean =>
  (status >= 200 && status < 300) || also.includes(status)

function answer(
  response: TransportResponse,
  intent: string,
  facts: Readonly<Record<string, string | number>>,
  secrets: readonly string[],
): Answer {
  return {
    ...response,
    json() {
      if (response.text.trim() === '') return undefined
      try {
        return JSON.parse(response.text) as unknown
      } catch {
        // The cause would quote the text as well, and with it what may not be shown.
        throw new ResponseShapeError(`Could not ${intent}: the answer is not JSON`, {
          facts: {
            ...facts,
            status: response.status,
            received: excerpt(redact(response.text, secrets)),
          },
          help: 'The answer may have been cut short, or a proxy may have answered instead.',
        })
      }
    },
  }
}
