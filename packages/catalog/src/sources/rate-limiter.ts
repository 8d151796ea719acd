/** Clock used for waiting. Replaced in tests. */
export interface Clock {
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * Creates a rate limiter. The first `perMinute` requests start at once. Each later
 * request waits until the oldest of the last `perMinute` is a minute old, so no
 * one-minute window contains more than `perMinute` requests.
 */
export function createRateLimiter(
  perMinute: number,
  clock: Clock,
): (signal: AbortSignal) => Promise<void> {
  const room = Math.floor(perMinute)
  const starts: number[] = []
  return async (signal) => {
    if (!Number.isFinite(perMinute)) return
    const now = clock.now()
    const oldest = starts.length < room ? undefined : starts[starts.length - room]!
    const startMs = oldest === undefined ? now : Math.max(now, oldest + 60_000)
    starts.push(startMs)
    if (starts.length > room) starts.shift()
    if (startMs > now) await clock.sleep(startMs - now, signal)
  }
}
