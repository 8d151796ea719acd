/** Runs something when it is its turn, and not at all once the time for it has ended. */
export type Limiter = <T>(
  whole: { readonly signal: AbortSignal },
  run: () => Promise<T>,
) => Promise<T>

/** Lets at most `free` run at once; the others wait in the order in which they came. */
export function limiter(free: number): Limiter {
  const waiting = new Set<() => void>()
  return async (whole, run) => {
    // Below zero it says how many wait.
    if (--free < 0) {
      const { signal } = whole
      await new Promise<void>((resolve, reject) => {
        const stop = (): void => {
          if (!waiting.delete(resolve)) return
          free++
          reject(signal.reason as Error)
        }
        waiting.add(resolve)
        if (signal.aborted) stop()
        else signal.addEventListener('abort', stop)
      })
    }
    try {
      return await run()
    } finally {
      free++
      const [next] = waiting
      waiting.delete(next!)
      next?.()
    }
  }
}
