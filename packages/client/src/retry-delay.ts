/**
 * Parses a `Retry-After` header (seconds or an HTTP date) to milliseconds. Returns
 * undefined if it is missing or invalid.
 */
export function parseRetryAfter(
  value: string | null | undefined,
  nowMs: number,
): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000
  // Date.parse accepts almost anything, including "try 5".
  if (!/^[A-Z][a-z]{2,8},? .*\d\d:\d\d:\d\d/.test(text)) return undefined
  // The form that ends with the year is in GMT too, not in the time zone of this machine.
  const dateMs = Date.parse(text.replace(/\d$/, '$& GMT'))
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs)
}

/**
 * Returns the pause before the next attempt, in milliseconds: the value of `Retry-After`,
 * or an exponential backoff with jitter. At least half of each step is kept, so that a
 * per-minute limit is not hit again.
 *
 * @param attempt Number of the failed attempt, from 1.
 * @param retryAfterMs Value of `Retry-After`; 0 is ignored, as it results from clocks that
 *   disagree.
 */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  { baseDelayMs, maxDelayMs }: { readonly baseDelayMs: number; readonly maxDelayMs: number },
  random: () => number,
): number {
  return (
    retryAfterMs || (Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1)) * (1 + random())) / 2
  )
}
