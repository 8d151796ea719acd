import { createPlatform, parseProject, type Platform } from '@servicekit/platform'
import { asAdministrator } from '@servicekit/testing/administrator'
import { isDeep } from '@servicekit/testing/is-deep'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { emitAll, buildModel, normaliseListing } from '../src/index.ts'
import type { Gateway, GatewayMoved, GatewayPage } from '../__snapshots__/storefront/gateway.ts'
import { randomOf } from './edits.ts'
import { loadModules } from './load-modules.ts'

// Each walk loads the project several times; the deep version runs a thousand walks.
vi.setConfig({ testTimeout: 1_800_000, hookTimeout: 300_000 })

const projectKey = 'Pwalk'
const fields = [
  { name: 'Name', type: 'String' },
  { name: 'Rank', type: 'Int' },
]
const schemas = [
  { schemaName: 'Thing', querySchema: 'Things', mutationSchemas: ['insertThing'], fields },
]

interface Thing {
  readonly ItemId: string
  readonly Name: string
  readonly Rank: number
}

interface WalkOptions {
  readonly pageSize?: number
  readonly prefetch?: number
  readonly order?: readonly { readonly field: string; readonly direction?: 'ASC' | 'DESC' }[]
  readonly select?: readonly string[]
  readonly signal?: AbortSignal
  readonly onMoved?: (moved: GatewayMoved) => void
}

type Walk = (gateway: Gateway, options?: WalkOptions) => AsyncGenerator<GatewayPage<Thing>>

let platform: Platform
let walk: Walk
/** Requests that were sent. */
let requests: { readonly query: string; readonly signal: AbortSignal }[]
let beforeRequest: () => Promise<void>

const gateway: Gateway = {
  baseUrl: 'http://platform.test',
  projectKey,
  fetch: async (url, init) => {
    await beforeRequest()
    requests.push({ query: String(init.body), signal: init.signal! })
    return platform.fetch(new Request(url, init))
  },
}

beforeAll(async () => {
  platform = asAdministrator(await createPlatform({}))
  const modules = await loadModules(emitAll(buildModel(normaliseListing(schemas))), afterAll)
  walk = modules.get('thing.ts')!['walkThings'] as Walk
})
afterAll(() => platform.close())

async function save(rows: readonly Thing[]): Promise<void> {
  await platform.loadProject(
    parseProject({
      projectKey,
      name: 'Walk',
      languages: [],
      modules: [],
      schemas,
      records: { Thing: rows },
    }),
  )
}

const rowOf = (random: (below: number) => number): Thing => ({
  ItemId: Array.from({ length: 4 }, () => random(65_536).toString(16).padStart(4, '0')).join(''),
  Name: `Thing ${random(1000)}`,
  Rank: random(50),
})

async function begin(rows: readonly Thing[]): Promise<void> {
  await save(rows)
  requests = []
  beforeRequest = async () => {}
}

async function collect(options: WalkOptions): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { items } of walk(gateway, options)) ids.push(...items.map((row) => row.ItemId))
  return ids
}

describe('a walk over unchanged rows', () => {
  test.each([
    [0, 5, 1],
    [1, 5, 1],
    [23, 5, 5],
    [25, 5, 5],
    [23, 100, 1],
  ])('of %i rows with %i per page makes %i requests', async (count, pageSize, pages) => {
    const random = randomOf(count)
    const rows = Array.from({ length: count }, () => rowOf(random))
    await begin(rows)
    for (const prefetch of [0, 1, 3]) {
      requests = []
      const ids = await collect({ pageSize, prefetch, onMoved: () => expect.unreachable() })
      expect(ids).toEqual(rows.map(({ ItemId }) => ItemId).sort())
      expect(requests).toHaveLength(pages)
    }
  })

  test('yields pages with the selected fields in the requested order', async () => {
    const random = randomOf(7)
    await begin(Array.from({ length: 12 }, () => rowOf(random)))
    const pages: GatewayPage<Thing>[] = []
    const order = [{ field: 'Rank', direction: 'DESC' as const }]
    for await (const page of walk(gateway, { select: ['Rank'], order, pageSize: 5 }))
      pages.push(page)
    expect(pages).toMatchObject([
      { pageNo: 1, totalPages: 3, totalCount: 12, hasNextPage: true },
      { pageNo: 2 },
      { pageNo: 3, hasNextPage: false },
    ])
    const ranks = pages.flatMap(({ items }) => items.map(({ Rank }) => Rank))
    expect(ranks).toEqual([...ranks].sort((left, right) => right - left))
    expect(Object.keys(pages[0]!.items[0]!)).toEqual(['ItemId', 'Rank'])
  })

  test('prefetches the configured number of pages', async () => {
    const random = randomOf(8)
    await begin(Array.from({ length: 30 }, () => rowOf(random)))
    const ahead: number[] = []
    for await (const { pageNo } of walk(gateway, { pageSize: 5, prefetch: 2 })) {
      // Wait until the requests of this tick are sent.
      await new Promise((resolve) => void setImmediate(resolve))
      ahead.push(requests.length - pageNo)
    }
    expect(ahead).toEqual([2, 2, 2, 2, 1, 0])
  })

  test('aborts pending requests when the loop is left', async () => {
    const random = randomOf(9)
    await begin(Array.from({ length: 30 }, () => rowOf(random)))
    for await (const _ of walk(gateway, { pageSize: 5 })) break
    expect(requests).toHaveLength(2)
    expect(requests[1]?.signal.aborted).toBe(true)
  })

  test('throws when it is aborted, and sends no more requests', async () => {
    const random = randomOf(10)
    await begin(Array.from({ length: 30 }, () => rowOf(random)))
    const stop = new AbortController()
    const run = async (): Promise<void> => {
      for await (const { pageNo } of walk(gateway, {
        pageSize: 5,
        prefetch: 0,
        signal: stop.signal,
      })) {
        if (pageNo === 2) stop.abort()
      }
    }
    await expect(run()).rejects.toThrow('The walk was aborted')
    expect(requests).toHaveLength(2)
  })

  test('throws the error of the gateway', async () => {
    await begin([])
    await expect(collect({ pageSize: 0 })).rejects.toThrow(/pageSize/)
    await expect(collect({ select: ['Nme'] })).rejects.toThrow(/Nme/)
  })
})

describe('a walk over moving rows', () => {
  const things = (count: number): Thing[] =>
    Array.from({ length: count }, (_, index) => ({
      ItemId: `id-${String(index * 10).padStart(4, '0')}`,
      Name: `Thing ${index}`,
      Rank: index,
    }))
  const afterPage = (page: number, rows: readonly Thing[]): void => {
    beforeRequest = async () => {
      if (requests.length === page) await save(rows)
    }
  }

  test('reports missed rows by ItemId, and throws without onMoved', async () => {
    const rows = things(20)
    const run = async (onMoved?: (moved: GatewayMoved) => void): Promise<readonly string[]> => {
      await begin(rows)
      afterPage(1, rows.slice(2))
      return collect({ pageSize: 5, prefetch: 0, ...(onMoved === undefined ? {} : { onMoved }) })
    }
    const reported: GatewayMoved[] = []
    const ids = await run((moved) => void reported.push(moved))
    expect(reported).toEqual([{ twice: [], missing: ['id-0050', 'id-0060'], missed: 2 }])
    expect(ids).toEqual(rows.map(({ ItemId }) => ItemId).filter((id) => !/0050|0060/.test(id)))
    await expect(run()).rejects.toMatchObject({
      errors: [{ extensions: { code: 'ROWS_MOVED', missing: ['id-0050', 'id-0060'] } }],
    })
  })

  test('delivers a repeated row once and reports it', async () => {
    const rows = things(10)
    await begin(rows)
    afterPage(1, [{ ItemId: 'id-0001', Name: 'New', Rank: 0 }, ...rows])
    const reported: GatewayMoved[] = []
    const ids = await collect({
      pageSize: 5,
      prefetch: 0,
      onMoved: (moved) => void reported.push(moved),
    })
    expect(ids).toEqual(rows.map(({ ItemId }) => ItemId))
    expect(reported).toEqual([{ twice: ['id-0040'], missing: ['id-0001'], missed: 1 }])
  })

  test('reports possible losses when the list shrinks', async () => {
    const rows = things(20)
    await begin(rows)
    afterPage(3, rows.slice(16))
    const reported: GatewayMoved[] = []
    await collect({ pageSize: 5, prefetch: 0, onMoved: (moved) => void reported.push(moved) })
    expect(reported[0]?.missed).toBeGreaterThanOrEqual(1)
  })

  test(`of ${isDeep ? 1000 : 8} kinds makes as many requests as pages and loses no row silently`, async () => {
    let losses = 0
    let quiet = 0
    for (let seed = 0; seed < (isDeep ? 1000 : 8); seed++) {
      const random = randomOf(seed + 5000)
      const prefetch = random(3)
      // More than the rows that change while requests are in flight, two for each of them: they
      // must not move a whole page, which the walk could not tell from a service that repeats it.
      const pageSize = 2 * (prefetch + 1) + 1 + random(5)
      let rows = Array.from({ length: random(60) }, () => rowOf(random))
      await begin(rows)
      const always = new Set(rows.map(({ ItemId }) => ItemId))
      let mostPages = Math.ceil(rows.length / pageSize)
      const mutations = random(3)
      beforeRequest = async () => {
        for (let count = random(mutations + 1); count > 0; count--) {
          if (random(2) === 0) {
            rows = rows.concat(rowOf(random))
          } else {
            const gone = rows[random(rows.length)]
            if (gone !== undefined) always.delete(gone.ItemId)
            rows = rows.filter((row) => row !== gone)
          }
        }
        await save(rows)
        mostPages = Math.max(mostPages, Math.ceil(rows.length / pageSize))
      }
      const reported: GatewayMoved[] = []
      const ids = await collect({
        pageSize,
        prefetch,
        onMoved: (moved) => void reported.push(moved),
      })
      // No row is delivered twice, and each row that always existed was delivered or
      // reported.
      expect(new Set(ids).size, `seed ${seed}`).toBe(ids.length)
      const lost = [...always].filter((id) => !ids.includes(id))
      if (lost.length > 0) losses++
      if (reported.length === 0) quiet++
      expect(
        lost.length > 0 && (reported[0]?.missed ?? 0) === 0,
        `seed ${seed}: ${lost.join()}`,
      ).toBe(false)
      expect(requests.length, `seed ${seed}`).toBeLessThanOrEqual(Math.max(1, mostPages))
    }
    // Both cases must occur for the test to be meaningful.
    expect(losses).toBeGreaterThan(1)
    expect(quiet).toBeGreaterThan(1)
  })
})
