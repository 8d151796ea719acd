import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { type Deadline, deadlines, sendWithin } from './deadline.ts'

const request = { method: 'GET', url: 'http://service.test', headers: {}, maxBytes: 1 }
/** Listens as a transport does that needs no signal. */
const listen = (time: Deadline, stop: (reason: unknown) => void): void => {
  const never = new Promise<never>(() => undefined)
  const sendUntil = async (_: unknown, onEnd: (call: typeof stop) => void) => {
    onEnd(stop)
    return never
  }
  void sendWithin({ send: () => expect.unreachable('a signal was made'), sendUntil }, request, time)
}

describe('a deadline', () => {
  it('ends when its time is up', async () => {
    const time = deadlines()(5, {})
    const reason = await new Promise((resolve) => listen(time, resolve))
    expect(reason).toMatchObject({ name: 'TimeoutError', message: 'No answer within 5 ms' })
    // Who asks afterwards is told the same.
    expect(time.signal.reason).toBe(reason)
    const late = vi.fn()
    listen(time, late)
    expect(late).toHaveBeenCalledWith(reason)
  })

  it('ends when the caller says so, for who listens by a signal too', () => {
    const caller = new AbortController()
    const start = deadlines()
    const whole = start(60_000, caller)
    const attempt = start(30_000, whole)
    const { signal } = attempt
    const stop = vi.fn()
    listen(attempt, stop)
    caller.abort('enough')
    expect(stop.mock.calls).toEqual([['enough']])
    expect([signal, whole.signal].map(({ reason }) => reason as unknown)).toEqual([
      'enough',
      'enough',
    ])
    whole.close?.()
    attempt.close?.()
  })

  it('has ended where the caller had called it off before', () => {
    const time = deadlines()(60_000, { signal: AbortSignal.abort('enough') })
    expect(time.signal.reason).toBe('enough')
    time.close?.()
  })

  it('listens once for all that wait for one signal, and to none that are over', () => {
    const caller = new AbortController()
    const start = deadlines()
    const stops = Array.from({ length: 20 }, () => {
      const time = start(60_000, caller)
      const stop = vi.fn()
      listen(time, stop)
      return { time, stop }
    })
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1)
    for (const { time } of stops.slice(10)) time.close?.()
    caller.abort()
    expect(stops.map(({ stop }) => stop.mock.calls.length)).toEqual([
      ...Array<number>(10).fill(1),
      ...Array<number>(10).fill(0),
    ])
    for (const { time } of stops) time.close?.()
  })

  it('is a signal for a transport that wants one', async () => {
    const caller = new AbortController()
    const time = deadlines()(60_000, caller)
    const send = vi.fn(async ({ signal }: { signal: AbortSignal }) => {
      caller.abort('enough')
      return { status: 200, headers: {}, text: String(signal.reason) }
    })
    expect(await sendWithin({ send }, request, time)).toMatchObject({ text: 'enough' })
    time.close?.()
  })
})
