import { expect, it } from 'vitest'
import { clockOf } from './clock.ts'
import { seeded } from './seeded.ts'

it('repeats itself for a seed, and differs for another', () => {
  const take = (seed: number) => {
    const { newId, bytes } = seeded(seed)
    return [newId(), newId(), bytes(40).toString('hex')]
  }
  expect(take(1)).toEqual(take(1))
  expect(new Set([...take(1), ...take(2)]).size).toBe(6)
  expect(take(1)[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(take(1)[2]).toHaveLength(80)
})

it('stands still until it is advanced, and tells of it', () => {
  const clock = clockOf(new Date(1000))
  let told = 0
  const stop = clock.onAdvance(() => told++)
  expect(clock.now().getTime()).toBe(1000)
  expect(clock.advance(500).getTime()).toBe(1500)
  stop()
  clock.advance(1)
  expect([clock.now().getTime(), told, clock.isFrozen]).toEqual([1501, 1, true])
})

it('moves a running clock on', () => {
  let base = 0
  const clock = clockOf(() => new Date(base))
  clock.advance(100)
  base = 5
  expect([clock.now().getTime(), clock.isFrozen]).toEqual([105, false])
})
