import { untilAborted } from './until-aborted.ts'

/** Runs something when it is its turn, and not at all once the time for it has ended. */
export type Limiter = <T>(
  whole: { readonly signal: AbortSignal },
  run: () => Promise<T>,
) => Promise<T>

/** Lets at most `free` run at once; the others wait in the order in which they came. */
export function limiter(free: number): Limiter {
  const waiting: (() => void)[] = []
  const release = (): void => {
    free++
    waiting.shift()?.()
  }
  return async (whole, run) => {
    // Below zero it is the number of those that wait.
    if (--free < 0) {
      const turn = new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
      await untilAborted(whole.signal, turn).catch((reason: unknown) => {
        // Its turn is passed on when it comes.
        void turn.then(release)
        throw reason
      })
    }
    return run().finally(release)
  }
}
