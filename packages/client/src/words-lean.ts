/**
 * What `words.ts` is, for production in browsers: options are taken as they
 * are, since the same code was checked in development, and errors have code,
 * status, body and facts, without the sentences that explain them.
 */
import { ConfigError, RequestError, ResponseShapeError } from './errors.ts'
import type * as words from './words.ts'
import { defaultRetry } from './retry.ts'
import { BodyTooLargeError } from './transport.ts'
import { defaultTransport, sendsRequestIds } from '#transport'

export type { Headers } from './headers.ts'

export const readHeaders: typeof words.readHeaders = (given = {}) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]))

/** Nothing that a page sends is a secret to it, but for what somebody has typed. */
export const conceal: typeof words.conceal = (text, _, secrets = []) =>
  secrets.reduce<string>(
    (shown, secret) => (secret?.[5] ? shown.replaceAll(secret, '[not shown]') : shown),
    text,
  )

export const resolveClientOptions: typeof words.resolveClientOptions = (options) => {
  if (!options.baseUrl || !options.projectKey) throw new ConfigError('No baseUrl or projectKey')
  return {
    timeoutMs: 30_000,
    totalTimeoutMs: 120_000,
    maxBytes: 2 ** 26,
    maxConcurrency: 50,
    requestIds: sendsRequestIds,
    hooks: {},
    transport: defaultTransport(),
    ...given(options),
    baseUrl: options.baseUrl.replace(/\/+$/, ''),
    retry: { ...defaultRetry, ...given(options.retry) },
    headers: readHeaders(options.headers),
    runtime: { now: Date.now, random: Math.random, sleep, ...given(options.runtime) },
  }
}

/** What is undefined was not given: many write `timeoutMs: settings.timeoutMs`. */
const given = <T extends object>(options: T = {} as T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms)
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

export const refused: typeof words.refused = ({ status, headers, text }, intent, facts, nowMs) => {
  let body: unknown = text
  try {
    body = JSON.parse(text)
  } catch {
    // Then it is text.
  }
  const wait = headers['retry-after'] ?? ''
  const retryAfterMs = Number(wait) * 1000 || Date.parse(wait) - nowMs
  return new RequestError(`Could not ${intent}: status ${status}`, {
    code: status === 429 ? 'RATE_LIMITED' : 'REQUEST_REFUSED',
    status,
    body,
    retryAfterMs: retryAfterMs > 0 ? retryAfterMs : undefined,
    facts,
  })
}

export const failed: typeof words.failed = (cause, { intent, signal }, _, facts) => {
  const code =
    cause instanceof BodyTooLargeError
      ? 'RESPONSE_TOO_LARGE'
      : signal?.aborted
        ? 'REQUEST_ABORTED'
        : (cause as Error).name === 'TimeoutError'
          ? 'REQUEST_TIMED_OUT'
          : 'REQUEST_FAILED'
  return new RequestError(`Could not ${intent}: ${code}`, { code, cause, facts })
}

/** `fetch` does not tell. */
export const neverSent: typeof words.neverSent = () => false

export const notJson: typeof words.notJson = (intent, facts) =>
  new ResponseShapeError(`Could not ${intent}: not JSON`, { facts })

/** Timers are a browser's own affair. */
export const deadlines: typeof words.deadlines =
  () =>
  (ms, { signal }, run) =>
    run({ signal: AbortSignal.any([AbortSignal.timeout(ms), ...(signal ? [signal] : [])]) })

export const sendWithin: typeof words.sendWithin = (transport, request, { signal }) =>
  transport.send({ ...request, signal })

/** What a service says is in the body of the error. */
export const saidIn: typeof words.saidIn = () => undefined
