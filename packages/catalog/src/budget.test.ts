import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Clock, requestBudget } from './budget.ts'

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

describe('requestBudget', () => {
  it('lets the first ones go at once, and the next when the oldest is a minute old', async () => {
    const { clock, advance } = fakeClock()
    const budget = requestBudget(3, clock)
    const startMs = clock.now()
    const starts: number[] = []
    for (let n = 0; n < 8; n++) void budget(signal).then(() => starts.push(clock.now() - startMs))
    await advance(1_000_000)
    expect(starts).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000])
  })

  it('lets no minute see more, however requests come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 40 }),
        async (perMinute, gaps) => {
          const { clock, advance } = fakeClock()
          const budget = requestBudget(perMinute, clock)
          const starts: number[] = []
          for (const gap of gaps) {
            await advance(gap)
            void budget(signal).then(() => starts.push(clock.now()))
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

  it('never waits without a limit, and rounds a broken one down', async () => {
    const waited: number[] = []
    const clock: Clock = { now: () => 0, sleep: async (ms) => void waited.push(ms) }
    const free = requestBudget(Number.POSITIVE_INFINITY, clock)
    for (let n = 0; n < 1000; n++) await free(signal)
    expect(waited).toEqual([])
    const broken = requestBudget(1.5, clock)
    await broken(signal)
    await broken(signal)
    expect(waited).toEqual([60_000])
  })

  it('hands over what a sleep throws', async () => {
    const clock: Clock = { now: () => 0, sleep: async () => Promise.reject(new Error('enough')) }
    const budget = requestBudget(1, clock)
    await budget(signal)
    await expect(budget(signal)).rejects.toThrow('enough')
  })
})
