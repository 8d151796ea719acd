import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { type Deadline, sendWithin, withDeadline } from './deadline.ts'

const request = { method: 'GET', url: 'http://service.test', headers: {}, maxBytes: 1 }
/** Listens like a transport that needs no signal. */
const listen = (time: Deadline, stop: (reason: unknown) => void): void => {
  const never = new Promise<never>(() => undefined)
  const sendUntil = async (_: unknown, onEnd: (call: typeof stop) => void) => {
    onEnd(stop)
    return never
  }
  void sendWithin({ send: () => expect.unreachable('a signal was made'), sendUntil }, request, time)
}

/** Starts a deadline and returns it with a function that ends its work. */
const begin = (ms: number, parent: { signal?: AbortSignal }) => {
  let close = (): void => undefined
  let time: Deadline | undefined
  const ended = withDeadline(ms, parent, (given) => {
    time = given
    return new Promise<void>((resolve) => {
      close = resolve
    })
  })
  return { time: time!, close: () => close(), ended }
}

describe('a deadline', () => {
  it('ends after its time', async () => {
    const { time, close } = begin(5, {})
    const reason = await new Promise((resolve) => {
      listen(time, resolve)
    })
    expect(reason).toMatchObject({ name: 'TimeoutError', message: 'No response within 5 ms' })
    // Late listeners receive the same reason.
    expect(time.signal.reason).toBe(reason)
    const late = vi.fn()
    listen(time, late)
    expect(late).toHaveBeenCalledWith(reason)
    close()
  })

  it('ends when the caller aborts, also for listeners on its signal', () => {
    const caller = new AbortController()
    const whole = begin(60_000, caller)
    const attempt = begin(30_000, whole.time)
    const { signal } = attempt.time
    const stop = vi.fn()
    listen(attempt.time, stop)
    caller.abort('enough')
    expect(stop.mock.calls).toEqual([['enough']])
    expect([signal.reason, whole.time.signal.reason]).toEqual(['enough', 'enough'])
    whole.close()
    attempt.close()
  })

  it('has ended if the caller aborted before', () => {
    const { time, close } = begin(60_000, { signal: AbortSignal.abort('enough') })
    expect(time.signal.reason).toBe('enough')
    close()
  })

  it('listens to the signal of the caller for as long as it is pending', async () => {
    const caller = new AbortController()
    const all = Array.from({ length: 20 }, () => {
      const stop = vi.fn()
      const begun = begin(60_000, caller)
      listen(begun.time, stop)
      return { ...begun, stop }
    })
    const over = all.slice(10)
    for (const { close } of over) close()
    await Promise.all(over.map(({ ended }) => ended))
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(10)
    caller.abort()
    expect(all.map(({ stop }) => stop.mock.calls.length)).toEqual([
      ...Array<number>(10).fill(1),
      ...Array<number>(10).fill(0),
    ])
    for (const { close } of all) close()
    // A warning of Node about too many listeners would fail the test; it comes in the next turn.
    await new Promise((resolve) => setImmediate(resolve))
  })

  it('accepts a signal that is no EventTarget of Node, such as one of jsdom', () => {
    const listeners = new Set<() => void>()
    const signal = {
      aborted: false,
      reason: 'enough',
      addEventListener: (_: string, listener: () => void) => void listeners.add(listener),
      removeEventListener: (_: string, listener: () => void) => void listeners.delete(listener),
    } as unknown as AbortSignal
    const { time, close } = begin(60_000, { signal })
    for (const listener of listeners) listener()
    expect(time.signal.reason).toBe('enough')
    close()
  })

  it('passes a signal to a transport that requires one', async () => {
    const caller = new AbortController()
    const send = vi.fn(async ({ signal }: { signal: AbortSignal }) => {
      caller.abort('enough')
      return { status: 200, headers: {}, text: String(signal.reason) }
    })
    const answer = await withDeadline(60_000, caller, (time) => sendWithin({ send }, request, time))
    expect(answer.text).toBe('enough')
  })
})
