import { projectHeader, type Route } from '@servicekit/contract/routes'
import { RequestError, ResponseShapeError } from './errors.ts'
import { type ClientOptions, type ResolvedClientOptions, resolveClientOptions } from './options.ts'
import { type Failure, mayRetry, retryDelayMs } from './retry.ts'
import { serviceMessage } from './service-message.ts'
import { BodyTooLargeError, type TransportResponse } from './transport.ts'

/** What a single call may set. */
export interface CallOptions {
  readonly signal?: AbortSignal
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
  /** @throws RequestError when no usable answer came after the last attempt. */
  readonly send: (route: Route, input: SendInput) => Promise<Answer>
}

/** Makes the core of a client. @throws ConfigError for options that cannot be used. */
export function createCore(options: ClientOptions): Core {
  const resolved = resolveClientOptions(options)
  return {
    baseUrl: resolved.baseUrl,
    projectKey: resolved.projectKey,
    send: (route, input) => send(resolved, route, input),
  }
}

async function send(
  options: ResolvedClientOptions,
  route: Route,
  input: SendInput,
): Promise<Answer> {
  const { retry, runtime, totalTimeoutMs } = options
  const url = options.baseUrl + route.path + queryString(route, input.query)
  const facts = { project: options.projectKey, ...input.facts, url, operation: route.id }
  const total = AbortSignal.timeout(totalTimeoutMs)
  const whole = input.signal ? AbortSignal.any([input.signal, total]) : total
  const effect = input.effect ?? route.effect

  for (let attempt = 1; ; attempt++) {
    let failure: Failure
    let error: RequestError
    let retryAfter: string | undefined
    try {
      const response = await attemptOnce(options, route, input, url, whole)
      if (isAccepted(response.status, input.accept)) return answer(response, input, facts)
      failure = { kind: 'status', status: response.status }
      retryAfter = response.headers['retry-after']
      error = refused(response, input, { ...facts, attempts: attempt })
    } catch (cause) {
      failure = { kind: 'network', sent: !neverSent(cause) }
      error = failed(cause, input, whole, { ...facts, attempts: attempt })
      if (error.code === 'REQUEST_ABORTED' || error.code === 'RESPONSE_TOO_LARGE') throw error
    }
    if (attempt >= retry.attempts || !mayRetry(effect, failure)) throw error
    const delayMs = retryDelayMs({
      attempt,
      retryAfter,
      retry,
      nowMs: runtime.now(),
      random: runtime.random,
    })
    await runtime.sleep(delayMs, whole).catch(() => {
      // Out of time or called off while waiting: the last failure says more than "aborted".
      throw input.signal?.aborted ? failed(input.signal.reason, input, whole, facts) : error
    })
  }
}

function attemptOnce(
  options: ResolvedClientOptions,
  route: Route,
  input: SendInput,
  url: string,
  whole: AbortSignal,
): Promise<TransportResponse> {
  return options.transport.send({
    method: route.method,
    url,
    headers: {
      accept: 'application/json',
      ...options.headers,
      [projectHeader]: options.projectKey,
      ...(input.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...input.headers,
    },
    ...(input.json === undefined ? {} : { body: JSON.stringify(input.json) }),
    signal: AbortSignal.any([whole, AbortSignal.timeout(input.timeoutMs ?? options.timeoutMs)]),
    maxBytes: options.maxBytes,
  })
}

function queryString(route: Route, query: SendInput['query'] = {}): string {
  const parts = (route.query ?? [])
    .filter((name) => query[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(String(query[name]))}`)
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

const isAccepted = (status: number, also: readonly number[] = []): boolean =>
  (status >= 200 && status < 300) || also.includes(status)

function answer(
  response: TransportResponse,
  input: SendInput,
  facts: Readonly<Record<string, string | number>>,
): Answer {
  return {
    ...response,
    json() {
      if (response.text.trim() === '') return undefined
      try {
        return JSON.parse(response.text) as unknown
      } catch (cause) {
        throw new ResponseShapeError(`Could not ${input.intent}: the answer is not JSON`, {
          facts: { ...facts, status: response.status, received: excerpt(response.text) },
          help: 'The answer may have been cut short, or a proxy may have answered instead.',
          cause,
        })
      }
    },
  }
}

/** Start and end of a text: enough to recognise an HTML page or a cut answer. */
function excerpt(text: string): string {
  const flat = text.replaceAll(/\s+/g, ' ')
  return flat.length <= 120 ? flat : `${flat.slice(0, 80)} … ${flat.slice(-30)}`
}

function refused(
  response: TransportResponse,
  input: SendInput,
  facts: Readonly<Record<string, string | number>>,
): RequestError {
  const { status } = response
  const body = parsed(response.text)
  const said = serviceMessage(body)
  return new RequestError(`Could not ${input.intent}: the service answered ${status}`, {
    code: status === 429 ? 'RATE_LIMITED' : 'REQUEST_REFUSED',
    status,
    body,
    facts: { ...facts, ...(said === undefined ? {} : { answer: said }) },
    ...helpFor(status),
  })
}

function helpFor(status: number): { help: string } | Record<never, never> {
  if (status === 401 || status === 403) {
    return { help: 'Check the project key, and that it belongs to this instance.' }
  }
  if (status === 404) return { help: 'Check baseUrl and project key.' }
  if (status === 429) return { help: 'The rate limit is used up: wait a minute and try again.' }
  return {}
}

function failed(
  cause: unknown,
  input: SendInput,
  whole: AbortSignal,
  facts: Readonly<Record<string, string | number>>,
): RequestError {
  const details = { facts, cause }
  if (cause instanceof BodyTooLargeError) {
    return new RequestError(`Could not ${input.intent}: the answer is too large`, {
      ...details,
      code: 'RESPONSE_TOO_LARGE',
      help: 'Raise maxBytes if such an answer is expected.',
    })
  }
  if (input.signal?.aborted) {
    return new RequestError(`Could not ${input.intent}: it was aborted`, {
      ...details,
      code: 'REQUEST_ABORTED',
    })
  }
  if (whole.aborted || isTimeout(cause)) {
    return new RequestError(`Could not ${input.intent}: no answer in time`, {
      ...details,
      code: 'REQUEST_TIMED_OUT',
    })
  }
  return new RequestError(`Could not ${input.intent}: ${networkReason(cause)}`, {
    ...details,
    code: 'REQUEST_FAILED',
    help: 'Check that the instance is running and can be reached from here.',
  })
}

const isTimeout = (cause: unknown): boolean =>
  cause instanceof Error &&
  (cause.name === 'TimeoutError' || /TIMEOUT/.test(networkCode(cause) ?? ''))

function networkReason(cause: unknown): string {
  const code = networkCode(cause)
  const message = cause instanceof Error ? cause.message : String(cause)
  return code === undefined ? message || 'the connection failed' : `the connection failed (${code})`
}

/** `ECONNREFUSED` and the like, wherever the runtime hides it. */
function networkCode(cause: unknown): string | undefined {
  for (let at = cause, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') return at.code
  }
  return undefined
}

const neverSent = (cause: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    networkCode(cause) ?? '',
  )

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text === '' ? undefined : text
  }
}
