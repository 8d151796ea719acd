import { Writable } from 'node:stream'
import type { Io } from './io.ts'

/** Shows how far long work is. */
export interface Progress {
  readonly report: (done: number, total: number) => void
  /** The service limits the rate of requests; work goes on after so many milliseconds. */
  readonly pause: (ms: number) => void
  readonly end: () => void
}

/**
 * A bar on a terminal, which is gone in the end; elsewhere, as in a CI log, a line
 * every two seconds, and none at all for work that is quicker. It is on standard
 * error, and takes nothing from the keyboard: Ctrl-C stays a signal.
 */
export async function startProgress(io: Io, title: string): Promise<Progress> {
  return io.isTerminal ? bar(io, title) : lines(io, title)
}

const stepMs = 2000

/** Says that work waits for a rate limit, once until it goes on. */
function pauses(say: (text: string) => void): Progress['pause'] {
  let untilMs = 0
  return (ms) => {
    const now = performance.now()
    // Many requests wait side by side; short pauses are over before they are read.
    if (ms < 1000 || now < untilMs) return
    untilMs = now + ms
    say(`rate limited, continuing in ${Math.ceil(ms / 1000)} s`)
  }
}

function lines(io: Io, title: string): Progress {
  let last = performance.now()
  return {
    pause: pauses((text) => io.stderr(`${title}: ${text}\n`)),
    report(done, total) {
      const now = performance.now()
      if (now - last < stepMs) return
      last = now
      io.stderr(`${title}: ${done} of ${total}\n`)
    },
    end() {},
  }
}

async function bar(io: Io, title: string): Promise<Progress> {
  // Only a terminal pays for loading it.
  const { default: progress } = await import('cli-progress')
  const stream = new Writable({
    write(chunk, _, done) {
      io.stderr(String(chunk))
      done()
    },
  })
  const shown = new progress.SingleBar({
    // The bar asks a stream whether it is a terminal; whether it is, the command knows.
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
