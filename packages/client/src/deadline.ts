import { rejectOnAbort } from '@servicekit/core'
import type { Transport, TransportRequest, TransportResponse } from './transport.ts'
import { allowListeners } from '#network'

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
 *
 * An AbortSignal with listeners costs about half a request, so it is created only when needed.
 * Every timer is cleared after use, unlike those of `AbortSignal.timeout`, which would stay for
 * two minutes.
 */
export async function withDeadline<T>(
  ms: number,
  parent: Parent,
  run: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(ms, parent)
  try {
    return await run(deadline)
  } finally {
    deadline.close()
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

function startDeadline(ms: number, parent: Parent): Deadline & Closable {
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
  const callerSignal = 'onEnd' in parent ? undefined : parent.signal
  const onAbort = (): void => end(callerSignal?.reason)
  if ('onEnd' in parent) parent.onEnd(end)
  else if (callerSignal?.aborted) onAbort()
  else if (callerSignal) {
    allowListeners(callerSignal)
    callerSignal.addEventListener('abort', onAbort)
  }
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
      callerSignal?.removeEventListener('abort', onAbort)
    },
  }
}
