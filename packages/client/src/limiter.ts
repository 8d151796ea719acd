import type { OnAbort } from './deadline.ts'

/** Runs something when it is its turn, and not at all once `signal` has aborted. */
export type Limiter = <T>(signal: AbortSignal, run: () => Promise<T>) => Promise<T>

/** Lets at most `max` run at once; the others wait in the order in which they came. */
export function limiter(max: number, onAbort: OnAbort): Limiter {
  let free = max
  const waiting = new Set<() => void>()
  return async (signal, run) => {
    if (free > 0) free--
    else {
      await new Promise<void>((resolve, reject) => {
        const begin = (): void => {
          forget()
          resolve()
        }
        const forget = onAbort(signal, () => {
          waiting.delete(begin)
          reject(signal.reason as Error)
        })
        waiting.add(begin)
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
