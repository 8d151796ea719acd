import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { rejectOnAbort } from '@servicekit/core'

/** Time limit that the caller may also end early. */
export interface Deadline {
  /** Aborts at the end of the time. Created on first access, which most requests never need. */
  readonly signal: AbortSignal
  /**
   * Sets the function to call at the end of the time, at once if it is over. Replaces an
   * earlier one.
   */
  readonly onEnd: (stop: (reason: unknown) => void) => void
}

interface Closable {
  /** Stops the timer. */
  readonly close: () => void
}

/** Deadline, or options of a call, that may end a deadline early. */
type Parent = Deadline | { readonly signal?: AbortSignal }

/**
 * Runs a function with a deadline of `ms` milliseconds, bounded by `parent`. The function
 * itself has to stop.
 */
export type RunWithDeadline = <T>(
  ms: number,
  parent: Parent,
  run: (deadline: Deadline) => Promise<T>,
) => Promise<T>

/**
 * Creates the deadlines of one client. An AbortSignal with listeners costs about half a
 * request, so it is created only when needed. Every timer is cleared after use, unlike
 * those of `AbortSignal.timeout`, which would stay for two minutes.
 */
export function deadlines(): RunWithDeadline {
  const onAbort = shareListeners()
  return async (ms, parent, run) => {
    const deadline = startDeadline(ms, parent, onAbort)
    try {
      return await run(deadline)
    } finally {
      deadline.close()
    }
  }
}

/** Sends a request within a deadline. */
export async function sendWithin(
  transport: Transport,
  request: Omit<TransportRequest, 'signal'>,
  deadline: Deadline,
): Promise<TransportResponse> {
  if (transport.sendUntil) return transport.sendUntil(request, deadline.onEnd)
  const { signal } = deadline
  // Not every transport checks the signal, before or after sending.
  signal.throwIfAborted()
  return rejectOnAbort(signal, transport.send({ ...request, signal }))
}

function startDeadline(ms: number, parent: Parent, onAbort: OnAbort): Deadline & Closable {
  let isEnded = false
  let endReason: unknown
  let controller: AbortController | undefined
  let stop: ((reason: unknown) => void) | undefined
  const end = (reason: unknown): void => {
    if (isEnded) return
    isEnded = true
    endReason = reason
    controller?.abort(reason)
    stop?.(reason)
  }
  const timer = setTimeout(() => {
    end(new DOMException(`No response within ${ms} ms`, 'TimeoutError'))
  }, ms)
  let forget: (() => void) | undefined
  if ('onEnd' in parent) parent.onEnd(end)
  else if (parent.signal) forget = onAbort(parent.signal, end)
  return {
    get signal() {
      if (!controller) {
        controller = new AbortController()
        if (isEnded) controller.abort(endReason)
      }
      return controller.signal
    },
    onEnd: (run) => {
      stop = run
      if (isEnded) run(endReason)
    },
    close: () => {
      clearTimeout(timer)
      forget?.()
    },
  }
}

/**
 * Calls `stop` when `signal` aborts, at once if it already has. Returns a function that
 * unsubscribes.
 */
type OnAbort = (signal: AbortSignal, stop: (reason: unknown) => void) => () => void

/**
 * Adds one listener per signal, however many requests wait for it: a pull makes thousands
 * under one signal, and Node warns of a leak at the eleventh listener.
 */
function shareListeners(): OnAbort {
  const waiting = new WeakMap<AbortSignal, Set<(reason: unknown) => void>>()
  return (signal, stop) => {
    const stops = waiting.get(signal) ?? new Set()
    if (!waiting.has(signal)) {
      waiting.set(signal, stops)
      signal.addEventListener('abort', () => stops.forEach((each) => each(signal.reason)), {
        once: true,
      })
    }
    stops.add(stop)
    if (signal.aborted) stop(signal.reason)
    return () => void stops.delete(stop)
  }
}
