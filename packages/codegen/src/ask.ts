import { setTimeout } from 'node:timers/promises'
import { type CodegenError, reasonOf } from './errors.ts'
import type { ServiceSource } from './options.ts'

/**
 * Emitted when the service rate-limits requests. The next attempt follows after `ms`
 * milliseconds.
 */
export interface LimitedEvent {
  readonly type: 'limited'
  readonly ms: number
}

export interface Answer {
  readonly status: number
  readonly text: string
  /** Target of a redirect, without its query. */
  readonly location: string | undefined
}

const attempts = 3
const longestPauseMs = 15_000

/**
 * Sends a read-only request. Retries after a network failure, a timeout status or a
 * server error, and within the rate limit window. Redirects are not followed, because
 * they would send the project key, headers and body elsewhere.
 *
 * @param unreachable Creates the error for a request without a response.
 */
export async function* ask(
  source: ServiceSource,
  url: string,
  init: RequestInit,
  unreachable: (reason: string, cause: unknown) => CodegenError,
): AsyncGenerator<LimitedEvent, Answer, undefined> {
  const { signal, timeoutMs, rateWindowMs } = source
  const pause = (ms: number): Promise<void> =>
    setTimeout(ms, undefined, signal === undefined ? {} : { signal })
  let limitedMs = 0
  for (let failures = 0, limits = 0; ;) {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const response = await source.fetch(url, {
        ...init,
        redirect: 'manual',
        headers: {
          accept: 'application/json',
          'x-service-key': source.projectKey,
          ...(init.headers as Record<string, string> | undefined),
          ...source.headers,
        },
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      })
      const text = await response.text()
      const { status, headers } = response
      if (status === 429 && limitedMs < rateWindowMs) {
        // `retry-after` is a number of seconds, or a date. Dates depend on synchronised
        // clocks, so our own pause is used instead.
        const asked = Number(headers.get('retry-after') ?? 0) * 1000
        const own = Math.min(2000 * 2 ** limits++, longestPauseMs)
        const ms = Math.min(asked > 0 ? asked : own, rateWindowMs)
        limitedMs += ms
        yield { type: 'limited', ms }
        await pause(ms)
      } else if (![408, 500, 502, 503, 504].includes(status) || ++failures === attempts) {
        return { status, text, location: headers.get('location')?.replace(/[?#].*$/s, '') }
      } else await pause(500 * 2 ** failures)
    } catch (cause) {
      const isLate = timeout.aborted && signal?.aborted !== true
      if (isLate || signal?.aborted === true || ++failures === attempts) {
        throw unreachable(isLate ? `no answer within ${timeoutMs} ms` : reasonOf(cause), cause)
      }
      await pause(500 * 2 ** failures).catch((reason: unknown) => {
        throw unreachable(reasonOf(reason), reason)
      })
    }
  }
}

/** Help text for a redirect response. */
export const redirectHelp =
  'Redirects are not followed: set baseUrl to the address of the service itself.'

export const isRedirect = (status: number): boolean =>
  status === 0 || Math.floor(status / 100) === 3

/** Runs a generator to its end, discards its events and returns its result. */
export async function resultOf<T>(run: AsyncGenerator<unknown, T, undefined>): Promise<T> {
  for (;;) {
    const step = await run.next()
    if (step.done === true) return step.value
  }
}
