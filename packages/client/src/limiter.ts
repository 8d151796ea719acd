import { rejectOnAbort } from '@servicekit/core'

/** Runs a function when a slot is free, or not at all if its time has ended. */
export type Limiter = <T>(
  deadline: { readonly signal: AbortSignal },
  run: () => Promise<T>,
) => Promise<T>

/** Limits concurrency to `free` functions; the others wait in order. */
export function limiter(free: number): Limiter {
  const waiting: (() => void)[] = []
  const release = (): void => {
    free++
    waiting.shift()?.()
  }
  return async (deadline, run) => {
    // A negative value is the number of waiting functions.
    if (--free < 0) {
      const turn = new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
      await rejectOnAbort(deadline.signal, turn).catch((reason: unknown) => {
        // Pass the slot on when it arrives.
        void turn.then(release)
        throw reason
      })
    }
    return run().finally(release)
  }
}
