import type { Effect } from '@servicekit/contract/routes'

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

/** Transient failures; `u` matches `undefined`, no response. */
const passing = /^(u|4(08|25|29)|50[0234])/

/**
 * Decides whether an attempt may be retried. Reads and replacements are retried after every
 * transient failure. A create is retried only if it cannot have happened: refused by a rate
 * limit (429), or never sent.
 *
 * @param status Undefined if there was no response.
 * @param neverSent True only if it is certain that no byte was sent, for example when the
 *   connection was refused.
 */
export function mayRetry(effect: Effect, status: number | undefined, neverSent: boolean): boolean {
  return passing.test(`${status}`) && (effect !== 'create' || neverSent || status === 429)
}
