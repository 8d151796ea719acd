/** How long requests under way may take when the platform is closed, in ms. */
export const graceMs = 3000

/** The requests that are being answered. */
export interface UnderWay {
  /** Counts a request until it is answered. */
  readonly count: (answer: () => Response | Promise<Response>) => Promise<Response>
  /** Resolves when all are answered, or have had their time. */
  readonly settled: () => Promise<void>
}

/** Counts requests, so that nothing is taken from under them. */
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
