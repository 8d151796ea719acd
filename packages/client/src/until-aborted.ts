/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. */
export const untilAborted = <T>(signal: AbortSignal, work: T | Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => {
      const stop = (): void => reject(signal.reason as Error)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop)
    }),
  ])
