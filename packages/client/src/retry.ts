import type { Effect } from '@servicekit/contract/routes'

/** How failed requests are repeated. */
export interface RetryOptions {
  /** Attempts in all, the first included; 5 by default, 1 turns retries off. */
  readonly attempts: number
  /** Pause before the second attempt, in milliseconds; doubles each time, jittered. */
  readonly baseDelayMs: number
  /**
   * Longest pause of our own choosing, in milliseconds. A rate limit (429) is waited out for
   * four of them, whatever `attempts` says: by default a minute, the usual window of a limit.
   */
  readonly maxDelayMs: number
}

export const defaultRetry: RetryOptions = { attempts: 5, baseDelayMs: 250, maxDelayMs: 15_000 }

/** Of no status (`undefined`), too. */
const passing = /^(u|4(08|25|29)|50[0234])/

/**
 * Whether an attempt may be repeated. Reads and replacements are, after every
 * passing failure. A create is repeated only where it cannot have happened:
 * turned away by a limit (429), or never sent.
 *
 * @param status Undefined where no answer came.
 * @param neverSent True only where it is certain that no byte left, as when the
 *   connection was refused.
 */
export function mayRetry(effect: Effect, status: number | undefined, neverSent: boolean): boolean {
  return passing.test(`${status}`) && (effect !== 'create' || neverSent || status === 429)
}

/**
 * Pause before the next attempt, in milliseconds: what Retry-After asks for,
 * else an exponential back-off with full jitter, of at least half its step so
 * that a limit per minute is not run into again.
 *
 * @param askedMs What the service asked for; 0 asks for nothing, and comes of a
 *   date that clocks disagree about.
 */
export function retryDelayMs(
  attempt: number,
  askedMs: number | undefined,
  { baseDelayMs, maxDelayMs }: RetryOptions,
  random: () => number,
): number {
  return askedMs || (Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * (1 + random())) / 2
}
