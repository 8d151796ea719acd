import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readPages } from './pages.ts'

const rows = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, n) => from + n)

type Rows = { readonly items: readonly number[]; readonly total?: number | undefined }

/** Reads a list with `respond(n)` as page n. */
async function readAll(respond: (page: number) => Rows) {
  let requests = 0
  const pages = readPages(
    async (page) => {
      // An endless list must fail the test rather than hang it.
      if (++requests > 50_000) throw new Error('endless')
      const { items, total } = respond(page)
      return { items, total }
    },
    () => new Error('contradiction'),
    10,
  )
  const read: number[] = []
  let error: string | undefined
  try {
    for await (const { items } of pages) read.push(...items)
  } catch (cause) {
    error = (cause as Error).message
  }
  return { read, error, requests }
}

const paged =
  (all: readonly number[], total?: number, size = 10) =>
  (page: number): Rows => ({ items: all.slice((page - 1) * size, page * size), total })

describe('a list read to its end', () => {
  it('ends at its total, even if the service limits the page size', async () => {
    expect(await readAll(paged(rows(25), 25))).toMatchObject({ read: rows(25), requests: 3 })
    expect(await readAll(paged(rows(25), 25, 4))).toMatchObject({ read: rows(25), requests: 7 })
    expect(await readAll(paged([], 0))).toEqual({ read: [], error: undefined, requests: 1 })
  })

  it('does not end at a total that is the number of rows of a full first page', async () => {
    const ofPage = (page: number): Rows => ({ ...paged(rows(25))(page), total: 10 })
    expect(await readAll(ofPage)).toEqual({ read: rows(10), error: 'contradiction', requests: 2 })
    expect(await readAll(paged(rows(10), 10))).toEqual({
      read: rows(10),
      error: undefined,
      requests: 2,
    })
  })

  it('ends without a total at an empty or repeated page', async () => {
    expect(await readAll(paged(rows(25)))).toMatchObject({ read: rows(25), requests: 4 })
    expect(await readAll(paged([]))).toMatchObject({ read: [], requests: 1 })
    expect(await readAll(paged(rows(20)))).toMatchObject({ read: rows(20), requests: 3 })
    const same = await readAll(() => ({ items: rows(10) }))
    expect(same).toEqual({ read: rows(10), error: undefined, requests: 2 })
  })

  it('reads every row without a total, whatever the size of the pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 12 }),
        async (sizes) => {
          const starts = sizes.map((_, n) => sizes.slice(0, n).reduce((sum, one) => sum + one, 0))
          const all = await readAll((n) => ({ items: rows(sizes[n - 1] ?? 0, starts[n - 1]) }))
          expect(all.read).toEqual(rows(all.read.length))
          expect(all).toMatchObject({ error: undefined, requests: sizes.length + 1 })
        },
      ),
    )
  })

  it('accepts a total that changes with the rows', async () => {
    const grows = await readAll((page) => ({
      ...paged(rows(25))(page),
      total: page === 1 ? 24 : 25,
    }))
    expect(grows).toMatchObject({ read: rows(25), error: undefined })
    const shrinks = await readAll((page) => ({
      ...paged(rows(page === 1 ? 25 : 12))(page),
      total: page === 1 ? 25 : 12,
    }))
    expect(shrinks).toMatchObject({ read: rows(12), error: undefined })
  })

  it.each<[string, number, (page: number) => Rows]>([
    ['repeats a page', 2, () => ({ items: rows(10), total: 1_000_000 })],
    ['alternates between two pages', 3, (n) => ({ items: rows(10, n % 2), total: 1_000_000 })],
    ['ends before its total', 4, paged(rows(30), 31)],
    ['has rows but announces none', 1, () => ({ items: rows(10), total: 0 })],
    ['has more rows than announced', 2, paged(rows(30), 15)],
    [
      'raises its total with each page',
      8,
      (n) => ({ items: rows(10, n * 10), total: n * 10 + 20 }),
    ],
  ])('fails if it %s', async (_, requests, respond) => {
    expect(await readAll(respond)).toMatchObject({ error: 'contradiction', requests })
  })

  it('ends for every sequence of pages and totals', async () => {
    const page = fc.record({
      items: fc.oneof(fc.constant([]), fc.array(fc.nat(5), { maxLength: 12 })),
      total: fc.option(fc.oneof(fc.integer(), fc.nat(40)), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 8 }), async (pages) => {
        const { error, requests } = await readAll((n) => pages[(n - 1) % pages.length]!)
        expect(error === undefined || error === 'contradiction').toBe(true)
        expect(requests).toBeLessThanOrEqual(pages.length + 1)
      }),
    )
  })
})
