import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { rejectOnAbort } from '@servicekit/core'

/** Time limit that the caller may also end early. */
export interface Deadline {
  /** Aborts at the end of the time. Created on first access, which most requests never need. */
  readonly signal: AbortSignal
}

/**
 * Runs a function with a deadline of `ms` milliseconds, bounded by `parent`. The function
 * itself has to stop.
 */
export type RunWithDeadline = <T>(
  ms: number,
  parent: { readonly signal?: AbortSignal },
  run: (time: Deadline) => Promise<T>,
) => Promise<T>

/**
 * Creates the deadlines of one client. An AbortSignal with listeners costs about half a
 * request, so it is created only when needed. Every timer is cleared after use, unlike
 * those of `AbortSignal.timeout`, which would stay for two minutes.
 */
export function deadlines(): RunWithDeadline {
  const onAbort = shareListeners()
  return async (ms, parent, run) => {
    const time = new Timed(ms, parent, onAbort)
    try {
      return await run(time)
    } finally {
      time.close()
    }
  }
}

/** Sends a request within a deadline. */
export async function sendWithin(
  transport: Transport,
  request: Omit<TransportRequest, 'signal'>,
  time: Deadline,
): Promise<TransportResponse> {
  if (time instanceof Timed && transport.sendUntil) {
    return transport.sendUntil(request, (stop) => time.onEnd(stop))
  }
  const { signal } = time
  // Not every transport checks the signal, before or after sending.
  signal.throwIfAborted()
  return rejectOnAbort(signal, transport.send({ ...request, signal }))
}

/** A class for its getter: a getter in an object literal costs a hidden class per object. */
class Timed implements Deadline {
  #isEnded = false
  #reason: unknown
  #controller: AbortController | undefined
  #stop: ((reason: unknown) => void) | undefined
  readonly #timer: NodeJS.Timeout
  readonly #forget: (() => void) | undefined

  constructor(ms: number, parent: Parameters<RunWithDeadline>[1], onAbort: OnAbort) {
    this.#timer = setTimeout(timeOut, ms, this, ms)
    // Reading the `signal` getter of a Timed would create the signal.
    if (parent instanceof Timed) parent.onEnd((reason) => this.end(reason))
    else {
      const { signal } = parent
      this.#forget = signal && onAbort(signal, () => this.end(signal.reason))
    }
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isEnded) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Registers `stop`, replacing an earlier one; calls it at once if the time is over. */
  onEnd(stop: (reason: unknown) => void): void {
    this.#stop = stop
    if (this.#isEnded) stop(this.#reason)
  }

  end(reason: unknown): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#reason = reason
    this.#controller?.abort(reason)
    this.#stop?.(reason)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#forget?.()
  }
}

const timeOut = (time: Timed, ms: number): void =>
  time.end(new DOMException(`No response within ${ms} ms`, 'TimeoutError'))

/**
 * Calls `stop` when `signal` aborts, at once if it already has. Returns a function that
 * unsubscribes.
 */
type OnAbort = (signal: AbortSignal, stop: () => void) => () => void

/**
 * Adds one listener per signal, however many requests wait for it: a pull makes thousands
 * under one signal, and Node warns of a leak at the eleventh listener.
 */
function shareListeners(): OnAbort {
  const waiting = new WeakMap<AbortSignal, Set<() => void>>()
  return (signal, stop) => {
    const stops = waiting.get(signal) ?? new Set()
    if (!waiting.has(signal)) {
      waiting.set(signal, stops)
      signal.addEventListener('abort', () => stops.forEach((each) => each()), { once: true })
    }
    stops.add(stop)
    if (signal.aborted) stop()
    return () => void stops.delete(stop)
  }
}
