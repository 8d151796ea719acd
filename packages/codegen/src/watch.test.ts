import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../test/temporary.ts'
import { runWatch, type WatchEvent, type WatchOptions } from './watch.ts'

const schema = (name: string, ...fields: readonly string[]): unknown => ({
  schemaName: name,
  querySchema: `${name}s`,
  mutationSchemas: [`insert${name}`],
  fields: fields.map((field) => ({ name: field, type: 'String' })),
})
const first = [schema('Order', 'Number'), schema('Product', 'Name')]
const second = [schema('Order', 'Number'), schema('Product', 'Name', 'Price')]

/**
 * Creates a service that responds with each of `answers` once, then repeats the last one.
 */
function service(...answers: readonly (readonly unknown[] | number)[]): Partial<WatchOptions> {
  let call = 0
  return {
    baseUrl: 'https://api.example.com',
    projectKey: 'P1',
    fetch: async () => {
      const answer = answers[Math.min(call++, answers.length - 1)]!
      return typeof answer === 'number'
        ? Response.json({ message: 'Not now' }, { status: answer })
        : Response.json({ totalCount: answer.length, items: answer })
    },
  }
}

/** Returns the events of the given number of runs. */
async function watch(runs: number, options: Partial<WatchOptions>): Promise<readonly WatchEvent[]> {
  const stop = new AbortController()
  const events: WatchEvent[] = []
  const outDir = options.outDir ?? temporaryFolder()
  const times = { intervalMs: 1, maxIntervalMs: 6 }
  for await (const event of runWatch({ ...times, ...options, outDir, signal: stop.signal })) {
    events.push(event)
    if (event.type === 'waiting' && --runs === 0) stop.abort()
  }
  return events
}

const written = (events: readonly WatchEvent[]): readonly (readonly string[])[] =>
  events.flatMap((event) => (event.type === 'done' ? [event.report.written] : []))
const waits = (events: readonly WatchEvent[]): readonly number[] =>
  events.flatMap((event) => (event.type === 'waiting' ? [event.ms] : []))

describe('runWatch', () => {
  test('writes only the module that changed', async () => {
    const outDir = temporaryFolder()
    const events = await watch(4, { ...service(first, first, second), outDir })
    expect(written(events).slice(1)).toEqual([[], ['product.ts', 'gateway.lock.json'], []])
    expect(readdirSync(outDir)).toContain('order.ts')
    const times = ['order.ts', 'product.ts'].map((name) => statSync(join(outDir, name)).mtimeMs)
    expect(times[0]).toBeLessThan(times[1]!)
  })

  test('waits longer while nothing changes, and less after a change', async () => {
    expect(waits(await watch(6, service(first)))).toEqual([1, 1.5, 2.25, 3.375, 5.0625, 6])
    expect(waits(await watch(4, service(first, first, first, second)))).toEqual([1, 1.5, 2.25, 1])
  })

  test('continues after a failure, later, and keeps the files', async () => {
    const events = await watch(4, service(first, 404, 404, second))
    expect(waits(events)).toEqual([1, 2, 4, 1])
    expect(events.filter(({ type }) => type === 'failed')).toMatchObject([
      { error: { code: 'LISTING_FAILED' } },
      { error: { details: { status: 404 } } },
    ])
    expect(written(events)[1]).toEqual(['product.ts', 'gateway.lock.json'])
  })

  test('fails if the first run fails', async () => {
    await expect(watch(1, service(401))).rejects.toMatchObject({ code: 'LISTING_FAILED' })
  })

  test.each([{ intervalMs: 0 }, { maxIntervalMs: Number.NaN }])('refuses %j', async (times) => {
    await expect(watch(1, { ...service(first), ...times })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })
})
