/** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  try {
    await (signal ? rejectOnAbort(signal, end) : end)
  } finally {
    clearTimeout(timer)
  }
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
