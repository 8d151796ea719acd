/**
 * Looks again and again, never twice at once; the process may end meanwhile.
 *
 * @returns a function that ends it.
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
