/**
 * Yields the events that `run` emits, while it runs, and returns its result.
 *
 * ```ts
 * const listing = yield* eventsOf((emit) => fetchListing(source, emit))
 * ```
 */
export async function* eventsOf<Event, Result>(
  run: (emit: (event: Event) => void) => Promise<Result>,
): AsyncGenerator<Event, Result, undefined> {
  const events: Event[] = []
  let isDone = false
  let wake = (): void => {}
  const result = run((event) => {
    events.push(event)
    wake()
  }).finally(() => {
    isDone = true
    wake()
  })
  // Reported by the return below.
  result.catch(() => {})
  for (;;) {
    const event = events.shift()
    if (event !== undefined) yield event
    else if (isDone) return result
    else await new Promise<void>((resolve) => void (wake = resolve))
  }
}
