import { expect, it } from 'vitest'
import { createClock } from './clock.ts'

it('keeps a frozen time until it is advanced, and notifies listeners', () => {
  const clock = createClock(new Date(1000))
  let notifications = 0
  const stop = clock.onAdvance(() => notifications++)
  expect(clock.now().getTime()).toBe(1000)
  expect(clock.advance(500).getTime()).toBe(1500)
  stop()
  clock.advance(1)
  expect([clock.now().getTime(), notifications, clock.isFrozen]).toEqual([1501, 1, true])
})

it('advances a running clock', () => {
  let base = 0
  const clock = createClock(() => new Date(base))
  clock.advance(100)
  base = 5
  expect([clock.now().getTime(), clock.isFrozen]).toEqual([105, false])
})
