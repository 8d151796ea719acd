import type { Io } from './io.ts'

/** Shows how far long work is. */
export interface Progress {
  readonly report: (done: number, total: number) => void
  readonly end: () => void
}

/**
 * A line that is drawn over itself on a terminal; elsewhere, as in a CI log, one
 * every two seconds, and none at all for work that is quicker. It is on standard
 * error, and takes nothing from the keyboard: Ctrl-C stays a signal.
 */
export function startProgress(io: Io, title: string): Progress {
  return io.isTerminal ? bar(io, title) : lines(io, title)
}

const stepMs = 2000

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

const frameMs = 40
const cells = 24
/** Back to the beginning of the line, and all of it away. */
const clear = '\r\u001b[K'

function bar(io: Io, title: string): Progress {
  let last = -Infinity
  return {
    report(done, total) {
      const now = performance.now()
      if (now - last < frameMs && done < total) return
      last = now
      const full = Math.round((cells * Math.min(done, total)) / Math.max(total, 1))
      const drawn = '━'.repeat(full) + '╌'.repeat(cells - full)
      io.stderr(`${clear}${drawn}  ${title}: ${done} of ${total}`)
    },
    end() {
      if (last >= 0) io.stderr(clear)
    },
  }
}
