import { PgDialect } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import type { RunStatement } from '../database/database.ts'
import { localPermits, sharedPermits } from './permits.ts'

/** Minimal fake of the table; the real one is tested in `test/instances.test.ts`. */
function table() {
  const used = new Map<string, number>()
  let asked = 0
  const execute: RunStatement = async (statement) => {
    const { params } = new PgDialect().sqlToQuery(statement)
    const [address, window, count, , limit] = params as [string, number, number, string, number]
    // Ignore the cleanup of old windows.
    if (params.length === 2) return { rows: [] }
    asked++
    const key = `${address} ${window}`
    const before = used.get(key) ?? 0
    if (before >= limit) return { rows: [] }
    used.set(key, before + count)
    return { rows: [{ used: before + count }] }
  }
  return { execute, asked: () => asked }
}
const fail = (fault: Error): never => {
  throw fault
}
const taken = async (permits: ReturnType<typeof sharedPermits>, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => permits.take('a', 1)))).filter(Boolean)
    .length

it('counts by address and window in one process', () => {
  const permits = localPermits(2)
  const three = [1, 2, 3].map(() => permits.take('a', 1))
  expect([...three, permits.take('b', 1), permits.take('a', 2)]).toEqual([
    true,
    true,
    false,
    true,
    true,
  ])
})

it.each([1, 3, 19, 120, 125])('lets %d through of one instance, and asks seldom', async (limit) => {
  const { execute, asked } = table()
  const permits = sharedPermits(limit, execute, fail)
  expect(await taken(permits, limit + 50)).toBe(limit)
  expect(asked()).toBeLessThanOrEqual(27)
  const before = asked()
  expect(await taken(permits, 50)).toBe(0)
  expect(asked()).toBe(before)
})

it('lets no more through of two instances, and hardly less', async () => {
  const { execute } = table()
  const [one, other] = [sharedPermits(100, execute, fail), sharedPermits(100, execute, fail)]
  let total = 0
  for (let count = 0; count < 100; count++) {
    total += (await taken(one, 1)) + (await taken(other, 1))
  }
  expect(total).toBe(100)
  const next = sharedPermits(100, table().execute, fail)
  expect(await taken(next, 1)).toBe(1)
})

it('lets requests through while the database does not answer', async () => {
  const faults: string[] = []
  const away = async () => {
    throw new Error('away')
  }
  const permits = sharedPermits(20, away, ({ message }) => faults.push(message))
  expect(await taken(permits, 30)).toBe(30)
  expect(faults).toContain('away')
})
