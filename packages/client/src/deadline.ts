import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { untilAborted } from './until-aborted.ts'

/** The end of the time that something has, which a caller may bring about earlier. */
export interface Deadline {
  /** Aborts at the end. It is made when it is first looked at: most requests never do. */
  readonly signal: AbortSignal
}

/**
 * Runs something for `ms` milliseconds at most, and no longer than `parent` lasts. It is
 * `run` that has to stop.
 */
export type WithinTime = <T>(
  ms: number,
  parent: { readonly signal?: AbortSignal },
  run: (time: Deadline) => Promise<T>,
) => Promise<T>

/**
 * Deadlines of one client. An AbortSignal with its listeners costs as much as half
 * a request, so that none is made for those who get by without; no timer outlives
 * what it is for (`AbortSignal.timeout` would keep one for two minutes).
 */
export function deadlines(): WithinTime {
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

/** Sends a request for as long as there is time. */
export async function sendWithin(
  transport: Transport,
  request: Omit<TransportRequest, 'signal'>,
  time: Deadline,
): Promise<TransportResponse> {
  if (time instanceof Timed && transport.sendUntil) {
    return transport.sendUntil(request, (stop) => time.onEnd(stop))
  }
  const { signal } = time
  // Not every transport looks at a signal, before it sends or after.
  signal.throwIfAborted()
  return untilAborted(signal, transport.send({ ...request, signal }))
}

/** A class for its getter: those of object literals cost a hidden class for each object. */
class Timed implements Deadline {
  #isOver = false
  #reason: unknown
  #controller: AbortController | undefined
  #stop: ((reason: unknown) => void) | undefined
  readonly #timer: NodeJS.Timeout
  readonly #forget: (() => void) | undefined

  constructor(ms: number, parent: Parameters<WithinTime>[1], onAbort: OnAbort) {
    this.#timer = setTimeout(timeOut, ms, this, ms)
    // The signal of one of these is not looked at: it would be made by that.
    if (parent instanceof Timed) parent.onEnd((reason) => this.end(reason))
    else {
      const { signal } = parent
      this.#forget = signal && onAbort(signal, () => this.end(signal.reason))
    }
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#isOver) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Calls the last `stop` that it was given with the reason, at once where the end has come. */
  onEnd(stop: (reason: unknown) => void): void {
    this.#stop = stop
    if (this.#isOver) stop(this.#reason)
  }

  end(reason: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
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
  time.end(new DOMException(`No answer within ${ms} ms`, 'TimeoutError'))

/** Calls `stop` when `signal` aborts, at once where it has; the result ends that. */
type OnAbort = (signal: AbortSignal, stop: () => void) => () => void

/**
 * Listens to each signal once, however many requests wait for it: a pull makes
 * thousands under one, and Node warns of a leak at the eleventh listener.
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
