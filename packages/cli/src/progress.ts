import type { Io } from './io.ts'

/** Shows how far long work is. */
export interface Progress {
  readonly report: (done: number, total: number) => void
  readonly end: () => void
}

const stepMs = 2000

/**
 * A bar on a terminal; elsewhere, as in a CI log, a line every two seconds, and
 * none at all for work that is quicker.
 */
export async function startProgress(io: Io, title: string): Promise<Progress> {
  return io.isTerminal ? bar(title) : lines(io, title)
}

function lines(io: Io, title: string): Progress {
  let last = performance.now()
  return {
    report(done, total) {
      const now = performance.now()
      if (now - last < stepMs) return
      last = now
      io.stderr(`${title}: ${done} of ${total}\n`)
    },
    end() {},
  }
}

async function bar(title: string): Promise<Progress> {
  // Only a terminal pays for loading it.
  const { progress } = await import('@clack/prompts')
  let shown: ReturnType<typeof progress> | undefined
  let drawn = 0
  return {
    report(done, total) {
      if (!shown) {
        shown = progress({ max: total })
        shown.start(title)
      }
      shown.advance(done - drawn, `${title}: ${done} of ${total}`)
      drawn = done
    },
    end() {
      shown?.clear()
    },
  }
}
