import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clock, createRateLimiter } from './rate-limiter.ts'

/** Creates a clock that is advanced manually and wakes the sleepers that are due. */
function fakeClock() {
  let now = 1_000_000
  let sleeping: { readonly until: number; readonly wake: () => void }[] = []
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  const clock: Clock = {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        sleeping.push({ until: now + ms, wake: resolve })
      }),
  }
  const advance = async (ms: number): Promise<void> => {
    const end = now + ms
    for (;;) {
      await tick()
      const until = Math.min(end, ...sleeping.map((sleeper) => sleeper.until))
      now = Math.max(now, until)
      for (const sleeper of sleeping) if (sleeper.until <= now) sleeper.wake()
      sleeping = sleeping.filter((sleeper) => sleeper.until > now)
      if (until === end) break
    }
    await tick()
  }
  return { clock, advance }
}

const { signal } = new AbortController()

describe('createRateLimiter', () => {
  it('starts the first requests at once, and the next one when the oldest is a minute old', async () => {
    const { clock, advance } = fakeClock()
    const limiter = createRateLimiter(3, clock)
    const startMs = clock.now()
    const starts: number[] = []
    for (let n = 0; n < 8; n++) void limiter(signal).then(() => starts.push(clock.now() - startMs))
    await advance(1_000_000)
    expect(starts).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000])
  })

  it('never exceeds the limit in any minute', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 40 }),
        async (perMinute, gaps) => {
          const { clock, advance } = fakeClock()
          const limiter = createRateLimiter(perMinute, clock)
          const starts: number[] = []
          for (const gap of gaps) {
            await advance(gap)
            void limiter(signal).then(() => starts.push(clock.now()))
          }
          await advance(60_000 * 50)
          expect(starts).toHaveLength(gaps.length)
          for (const start of starts) {
            const within = starts.filter((other) => other >= start && other < start + 60_000)
            expect(within.length).toBeLessThanOrEqual(perMinute)
          }
        },
      ),
    )
  })

  it('never waits without a limit, and rounds a fractional limit down', async () => {
    const waited: number[] = []
    const clock: Clock = { now: () => 0, sleep: async (ms) => void waited.push(ms) }
    const free = createRateLimiter(Number.POSITIVE_INFINITY, clock)
    for (let n = 0; n < 1000; n++) await free(signal)
    expect(waited).toEqual([])
    const broken = createRateLimiter(1.5, clock)
    await broken(signal)
    await broken(signal)
    expect(waited).toEqual([60_000])
  })

  it('rejects with the error of the sleep', async () => {
    const clock: Clock = { now: () => 0, sleep: async () => Promise.reject(new Error('enough')) }
    const limiter = createRateLimiter(1, clock)
    await limiter(signal)
    await expect(limiter(signal)).rejects.toThrow('enough')
  })
})
