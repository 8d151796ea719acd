/** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. */
export const rejectOnAbort = <T>(signal: AbortSignal, work: T | Promise<T>): Promise<T> => {
  let stop!: () => void
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  // Work that is already done takes precedence over a signal that has aborted.
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
