import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { clockOf } from './clock.ts'
import { inTime } from './in-time.ts'

it('shows a clock to what runs in it alone', async () => {
  const frozen = clockOf(new Date(1000))
  const inner = inTime(frozen, async () => {
    const seen = [Date.now()]
    await sleep(1)
    frozen.advance(500)
    return [...seen, Date.now()]
  })
  expect(Date.now()).toBeGreaterThan(1_000_000)
  expect(await inner).toEqual([1000, 1500])
  expect(Date.now()).toBeGreaterThan(1_000_000)
})

it('leaves the machine to itself, and asks a clock that asks for the time', () => {
  const machine = clockOf(() => new Date(Date.now()))
  expect(Math.abs(inTime(machine, () => Date.now()) - Date.now())).toBeLessThan(60_000)
  machine.advance(3_600_000)
  const ahead = inTime(machine, () => Date.now()) - Date.now()
  expect(ahead).toBeGreaterThan(3_500_000)
})
