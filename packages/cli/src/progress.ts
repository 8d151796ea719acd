import { Writable } from 'node:stream'
import type { Io } from './io.ts'

/** Progress display of a long task. */
export interface Progress {
  readonly report: (done: number, total: number) => void
  /** Reports that the service limits requests; work continues after `ms` milliseconds. */
  readonly pause: (ms: number) => void
  readonly end: () => void
}

/**
 * Starts a progress display on standard error. On a terminal it is a bar, cleared at the
 * end. Elsewhere, as in a CI log, it is a line every two seconds, and none for shorter
 * work. It does not read the keyboard, so Ctrl-C remains a signal.
 */
export async function startProgress(io: Io, title: string): Promise<Progress> {
  return io.isTerminal ? bar(io, title) : lines(io, title)
}

/** Reports a rate limit once per pause. */
function pauses(print: (text: string) => void): Progress['pause'] {
  let untilMs = 0
  return (ms) => {
    const now = performance.now()
    // Many requests pause at the same time, and short pauses are not worth a line.
    if (ms < 1000 || now < untilMs) return
    untilMs = now + ms
    print(`rate limited, continuing in ${Math.ceil(ms / 1000)} s`)
  }
}

function lines(io: Io, title: string): Progress {
  const intervalMs = io.progressIntervalMs ?? 2000
  let last = performance.now()
  return {
    pause: pauses((text) => io.stderr(`${title}: ${text}\n`)),
    report(done, total) {
      const now = performance.now()
      if (now - last < intervalMs) return
      last = now
      io.stderr(`${title}: ${done} of ${total}\n`)
    },
    end() {},
  }
}

async function bar(io: Io, title: string): Promise<Progress> {
  // Loaded only on a terminal.
  const { default: progress } = await import('cli-progress')
  const stream = new Writable({
    write(chunk, _, done) {
      const draw = io.draw ?? io.stderr
      draw(String(chunk))
      done()
    },
  })
  const shown = new progress.SingleBar({
    // The bar checks whether its stream is a terminal; the caller has already checked.
    stream: Object.assign(stream, { isTTY: true }),
    format: `{bar}  ${title}: {value} of {total}{note}`,
    barCompleteChar: '━',
    barIncompleteChar: '╌',
    barsize: 24,
    clearOnComplete: true,
    gracefulExit: false,
  })
  return {
    report(done, total) {
      if (!shown.isActive) shown.start(total, done, { note: '' })
      shown.setTotal(total)
      shown.update(done, { note: '' })
    },
    pause: pauses((text) => {
      if (shown.isActive) shown.update({ note: ` (${text})` })
      else io.stderr(`${title}: ${text}\n`)
    }),
    end() {
      shown.stop()
    },
  }
}
