/**
 * Calls `look` repeatedly, waiting for each call to end. Does not keep the process alive.
 *
 * @returns a function that stops it.
 */
export function poll(pollMs: number, look: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout
  let ended = false
  const schedule = (): void => {
    if (ended) return
    timer = setTimeout(() => void look().then(schedule), pollMs)
    timer.unref()
  }
  schedule()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
