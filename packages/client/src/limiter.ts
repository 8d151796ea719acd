/** Runs something when it is its turn, and not at all once the time for it has ended. */
export type Limiter = <T>(
  whole: { readonly signal: AbortSignal },
  run: () => Promise<T>,
) => Promise<T>

/** Lets at most `free` run at once; the others wait in the order in which they came. */
export function limiter(free: number): Limiter {
  const waiting = new Set<() => void>()
  return async (whole, run) => {
    if (free > 0) free--
    else {
      const { signal } = whole
      signal.throwIfAborted()
      await new Promise<void>((resolve, reject) => {
        waiting.add(resolve)
        signal.addEventListener('abort', () => {
          waiting.delete(resolve)
          reject(signal.reason as Error)
        })
      })
    }
    try {
      return await run()
    } finally {
      const [next] = waiting
      if (next) {
        // The place is handed on, never free in between.
        waiting.delete(next)
        next()
      } else free++
    }
  }
}
