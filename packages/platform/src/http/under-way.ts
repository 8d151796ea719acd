/** Time that pending requests may take when the platform is closed, in ms. */
export const graceMs = 3000

/** Tracker of pending requests. */
export interface UnderWay {
  /** Counts a request as pending until it is answered. */
  readonly count: (answer: () => Response | Promise<Response>) => Promise<Response>
  /** Resolves when all requests are answered, or after the grace period. */
  readonly settled: () => Promise<void>
}

/** Tracks pending requests, so that their resources are not closed early. */
export function underWay(): UnderWay {
  let count = 0
  let onNone = (): void => {}
  return {
    count: async (answer) => {
      count++
      try {
        return await answer()
      } finally {
        if (--count === 0) onNone()
      }
    },
    settled: () =>
      new Promise((resolve) => {
        if (count === 0) return resolve()
        const timer = setTimeout(resolve, graceMs)
        onNone = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
