import type { Effect } from '@servicekit/contract/routes'

/** How failed requests are repeated. */
export interface RetryOptions {
  /** Attempts in all, the first included; 5 by default, 1 turns retries off. */
  readonly attempts: number
  /** Pause before the second attempt, in milliseconds; doubles each time, jittered. */
  readonly baseDelayMs: number
  /** Longest pause of our own choosing, in milliseconds. */
  readonly maxDelayMs: number
}

export const defaultRetry: RetryOptions = { attempts: 5, baseDelayMs: 250, maxDelayMs: 15_000 }

/** What happened to an attempt: an answer's status, or no answer. */
export type Failure =
  | { readonly kind: 'status'; readonly status: number }
  /** `sent` is false only where it is certain that no byte left, as when the connection was refused. */
  | { readonly kind: 'network'; readonly sent: boolean }

const passing = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Whether an attempt may be repeated. Reads and replacements are, after every
 * passing failure. A create is repeated only where it cannot have happened:
 * turned away by a limit (429), or never sent.
 */
export function mayRetry(effect: Effect, failure: Failure): boolean {
  if (failure.kind === 'network') return effect !== 'create' || !failure.sent
  if (!passing.has(failure.status)) return false
  return effect !== 'create' || failure.status === 429
}

/**
 * Pause before the next attempt, in milliseconds: what Retry-After asks for
 * (seconds or a date), else an exponential back-off with full jitter, of at
 * least half its step so that a limit per minute is not run into again.
 */
export function retryDelayMs(input: {
  readonly attempt: number
  readonly retryAfter: string | undefined
  readonly retry: RetryOptions
  readonly nowMs: number
  readonly random: () => number
}): number {
  const asked = retryAfterMs(input.retryAfter, input.nowMs)
  if (asked !== undefined) return asked
  const { baseDelayMs, maxDelayMs } = input.retry
  const step = Math.min(maxDelayMs, baseDelayMs * 2 ** (input.attempt - 1))
  return Math.round(step * (0.5 + input.random() / 2))
}

/** Reads a Retry-After header; undefined where there is none or it is nonsense. */
export function retryAfterMs(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.trim() === '') return undefined
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const dateMs = Date.parse(value)
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}
