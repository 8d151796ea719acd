import type { Effect } from '@servicekit/contract/routes'
import { retryDelayMs } from './retry-delay.ts'

/** Retry policy. */
export interface RetryOptions {
  /** Total number of attempts, including the first. Default: 5; 1 turns retries off. */
  readonly attempts: number
  /**
   * Pause before the second attempt, in milliseconds. Doubles each time, with jitter.
   * Default: 250.
   */
  readonly baseDelayMs: number
  /**
   * Longest pause that the client chooses itself, in milliseconds. Default: 15,000.
   *
   * After a 429 the client waits for up to four of these pauses, regardless of `attempts`:
   * by default one minute, the usual window of a rate limit.
   */
  readonly maxDelayMs: number
}

export const defaultRetry: RetryOptions = { attempts: 5, baseDelayMs: 250, maxDelayMs: 15_000 }

const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504])

/** Returns true for a failure that may pass: no response, or a status that says so. */
export const isTransient = (status: number | undefined): boolean =>
  status === undefined || transientStatuses.has(status)

/**
 * Decides whether an attempt may be retried. Reads and replacements are retried after every
 * transient failure. A create is retried only if it cannot have happened: refused by a rate
 * limit (429), or never sent.
 *
 * @param status Undefined if there was no response.
 * @param neverSent True only if it is certain that no byte was sent, for example when the
 *   connection was refused.
 */
export function mayRetry(
  effect: Effect,
  status: number | undefined,
  neverSent: boolean | undefined,
): boolean {
  return isTransient(status) && (neverSent || effect !== 'create' || status === 429)
}

/** Failure of one attempt. */
export interface Failure {
  /** Undefined if there was no response. */
  readonly status: number | undefined
  /** True only if it is certain that no byte was sent. */
  readonly neverSent?: boolean | undefined
  /** Wait that the service requested, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** True if another attempt would fail as well. */
  readonly isFinal: boolean
}

/** Limits of the attempts of one call. */
export interface RetryLimits {
  readonly retry: RetryOptions
  readonly effect: Effect
  /** Clock, and the random number that spreads retries. */
  readonly runtime: { readonly now: () => number; readonly random: () => number }
  /** End of the call, in milliseconds since 1970. No pause lasts longer. */
  readonly untilMs: number
}

/**
 * Returns a function that decides about the failures of one call, in order: the pause before
 * the next attempt in milliseconds, or undefined if the failure is final.
 */
export function retryPolicy({
  retry,
  effect,
  runtime,
  untilMs,
}: RetryLimits): (failure: Failure) => number | undefined {
  let failures = 0
  let pausedMs = 0
  return ({ status, neverSent, retryAfterMs, isFinal }) => {
    failures++
    if (isFinal || !mayRetry(effect, status, neverSent)) return undefined
    const isInRateLimit = status === 429 && pausedMs > 0 && pausedMs < 4 * retry.maxDelayMs
    if (failures >= retry.attempts && !isInRateLimit) return undefined
    const pauseMs = retryDelayMs(failures, retryAfterMs, retry, runtime.random)
    if (runtime.now() + pauseMs >= untilMs) return undefined
    pausedMs += pauseMs
    return pauseMs
  }
}
