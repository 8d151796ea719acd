/** What waiting needs; replaced in tests. */
export interface Clock {
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

/**
 * A budget of requests per minute. The first `perMinute` go at once; after that
 * each waits until the oldest of them is a minute old, so that no minute, on
 * whatever clock the service counts, sees more.
 */
export function requestBudget(
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
