/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. */
export const untilAborted = <T>(signal: AbortSignal, work: T | Promise<T>): Promise<T> => {
  let stop!: () => void
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', stop))
}
