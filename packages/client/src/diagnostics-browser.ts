/**
 * Replaces `diagnostics.ts` in production bundles for browsers. It validates names of options,
 * URLs and headers, but not numbers. Errors have code, status, body and details, without
 * explanatory text.
 */
import { isHttpUrl } from './is-http-url.ts'
import { ConfigError, RequestError, ResponseShapeError } from './errors.ts'
import { parseBody } from './parse-body.ts'
import type * as full from './diagnostics.ts'
import { defaultRetry } from './retry.ts'
import { BodyTooLargeError } from './transport.ts'
import { rejectOnAbort } from '@servicekit/core'
import { defaultTransport, sendsRequestIds } from '#transport'

export type { Headers } from './headers.ts'

export const readHeaders: typeof full.readHeaders = (given = {}) => {
  try {
    return Object.fromEntries(new Headers(given))
  } catch {
    // The cause may quote the value.
    throw new ConfigError('Invalid header')
  }
}

/** Drops a whole body that contains a header value or secret of the request, in any encoding. */
export const conceal: typeof full.conceal = (text, headers, secrets = []) =>
  Object.entries(headers)
    .map(([name, value]) =>
      /^(accept|content-type|x-service-key|x-request-id)$/.test(name)
        ? ''
        : value.split(' ').at(-1),
    )
    .concat(secrets as string[])
    .some((secret) => bare(secret)?.[5] && bare(text)!.includes(bare(secret)!))
    ? ''
    : text

const bare = (text: string | undefined): string | undefined => text?.replace(/%..|\W/g, '')

export const resolveClientOptions: typeof full.resolveClientOptions = (options) => {
  const resolved = fill(
    {
      baseUrl: '',
      projectKey: '',
      timeoutMs: 30_000,
      totalTimeoutMs: 120_000,
      maxBytes: 2 ** 26,
      maxConcurrency: 50,
      requestIds: sendsRequestIds,
      hooks: {},
      transport: defaultTransport(),
      retry: {},
      headers: {},
      runtime: {},
    },
    options,
  )
  const { baseUrl, projectKey, retry, headers, runtime } = resolved
  // The part before an @ may be a password, which would appear in every error.
  if (!isHttpUrl(baseUrl) || !projectKey || new URL(baseUrl).username) {
    throw new ConfigError('Invalid baseUrl or projectKey')
  }
  return {
    ...resolved,
    baseUrl: baseUrl.replace(/\/*([?#].*)?$/, ''),
    retry: fill(defaultRetry, retry),
    headers: readHeaders(headers),
    runtime: { now: Date.now, random: Math.random, sleep, ...runtime },
  }
}

/**
 * Fills in defaults. Ignores undefined values, since many users write `timeoutMs:
 * settings.timeoutMs`.
 */
const fill = <T extends object>(defaults: T, given: Partial<T>): T => {
  for (const [name, value] of Object.entries(given)) {
    if (!(name in defaults)) throw new ConfigError('Invalid option ' + name)
    if (value !== undefined) defaults = { ...defaults, [name]: value }
  }
  return defaults
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

export const refused: typeof full.refused = ({ status, headers, text }, intent, details) => {
  return new RequestError(`Cannot ${intent}: status ${status}`, {
    code: status === 429 ? 'RATE_LIMITED' : 'REQUEST_REFUSED',
    status,
    body: parseBody(text),
    retryAfterMs: Math.max(0, Number(headers['retry-after']) * 1000) || undefined,
    details,
  })
}

export const failed: typeof full.failed = (cause, { intent, signal }, _, details) => {
  const code =
    cause instanceof BodyTooLargeError
      ? 'RESPONSE_TOO_LARGE'
      : signal?.aborted
        ? 'REQUEST_ABORTED'
        : (cause as Error).name === 'TimeoutError'
          ? 'REQUEST_TIMED_OUT'
          : 'REQUEST_FAILED'
  return new RequestError(`Cannot ${intent}: ${code}`, { code, cause, details })
}

/** `fetch` does not report whether anything was sent. */
export const neverSent: typeof full.neverSent = () => false

export const notJson: typeof full.notJson = (intent, details) =>
  new ResponseShapeError(`Cannot ${intent}: not JSON`, { details })

export const deadlines: typeof full.deadlines =
  () =>
  (ms, { signal }, run) => {
    const timeout = AbortSignal.timeout(ms)
    // Held until the end: some engines collect it before its time has come.
    return run({ signal: signal ? AbortSignal.any([timeout, signal]) : timeout }).finally(
      () => timeout,
    )
  }

export const sendWithin: typeof full.sendWithin = (transport, request, { signal }) =>
  rejectOnAbort(signal, transport.send({ ...request, signal }))

/** The message of the service is in the body of the error. */
export const serviceMessage: typeof full.serviceMessage = () => undefined
