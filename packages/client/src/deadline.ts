/** Calls `stop` when `signal` aborts; the result ends that. */
export type OnAbort = (signal: AbortSignal, stop: () => void) => () => void

/**
 * Listens to each signal once, however many requests wait for it: a pull makes
 * thousands under one, and Node warns of a leak at the eleventh listener.
 */
export function shareListeners(): OnAbort {
  const waiting = new WeakMap<AbortSignal, Set<() => void>>()
  return (signal, stop) => {
    const stops = waiting.get(signal) ?? new Set()
    if (!waiting.has(signal)) {
      waiting.set(signal, stops)
      signal.addEventListener('abort', () => stops.forEach((each) => each()), { once: true })
    }
    stops.add(stop)
    return () => void stops.delete(stop)
  }
}

/**
 * Runs something with a signal that aborts after `ms` milliseconds or when
 * `parent` does. No timer outlives it. (`AbortSignal.timeout` would keep one
 * until it fires, two minutes for each request that took a moment.)
 */
export async function withDeadline<T>(
  { ms, parent, onAbort }: { ms: number; parent: AbortSignal | undefined; onAbort: OnAbort },
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const stop = (): void => controller.abort(parent?.reason)
  const timer = setTimeout(
    () => controller.abort(new DOMException(`No answer within ${ms} ms`, 'TimeoutError')),
    ms,
  )
  const forget = parent && onAbort(parent, stop)
  if (parent?.aborted) stop()
  try {
    return await run(controller.signal)
  } finally {
    clearTimeout(timer)
    forget?.()
  }
}
