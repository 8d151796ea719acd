import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listing } from './listing.ts'

const rows = (count: number, from = 0): readonly number[] =>
  Array.from({ length: count }, (_, n) => from + n)

type Answer = { readonly items: readonly number[]; readonly total?: number | undefined }

/** Reads a list with `answer(n)` as page n, 10 rows per page. */
async function walk(answer: (page: number) => Answer) {
  let requests = 0
  const list = listing(
    { pageSize: 10 },
    async (page) => {
      // An endless list must fail the test rather than hang it.
      if (++requests > 50_000) throw new Error('endless')
      const { items, total } = answer(page)
      return { items, total, raw: undefined }
    },
    () => new Error('contradiction'),
  )
  const read: number[] = []
  let error: string | undefined
  try {
    for await (const row of list) read.push(row)
  } catch (cause) {
    error = (cause as Error).message
  }
  return { read, error, requests }
}

const paged =
  (all: readonly number[], total?: number, size = 10) =>
  (page: number): Answer => ({ items: all.slice((page - 1) * size, page * size), total })

describe('a list read to its end', () => {
  it('ends at its total, also where the instance caps the size of pages', async () => {
    expect(await walk(paged(rows(25), 25))).toMatchObject({ read: rows(25), requests: 3 })
    expect(await walk(paged(rows(25), 25, 4))).toMatchObject({ read: rows(25), requests: 7 })
    expect(await walk(paged([], 0))).toEqual({ read: [], error: undefined, requests: 1 })
  })

  it('ends without a total at a page that is not full, empty, or repeated', async () => {
    expect(await walk(paged(rows(25)))).toMatchObject({ read: rows(25), requests: 3 })
    expect(await walk(paged(rows(20)))).toMatchObject({ read: rows(20), requests: 3 })
    const same = await walk(() => ({ items: rows(10) }))
    expect(same).toEqual({ read: rows(10), error: undefined, requests: 2 })
  })

  it('follows a total that changes with the rows', async () => {
    const grows = await walk((page) => ({ ...paged(rows(25))(page), total: page === 1 ? 24 : 25 }))
    expect(grows).toMatchObject({ read: rows(25), error: undefined })
    const shrinks = await walk((page) => ({
      ...paged(rows(page === 1 ? 25 : 12))(page),
      total: page === 1 ? 25 : 12,
    }))
    expect(shrinks).toMatchObject({ read: rows(12), error: undefined })
  })

  it.each<[string, number, (page: number) => Answer]>([
    ['repeats a page', 2, () => ({ items: rows(10), total: 1_000_000 })],
    ['alternates between two pages', 3, (n) => ({ items: rows(10, n % 2), total: 1_000_000 })],
    ['ends before its total', 4, paged(rows(30), 31)],
    ['holds rows and announces none', 1, () => ({ items: rows(10), total: 0 })],
    ['holds more rows than announced', 2, paged(rows(30), 15)],
    [
      'raises its total with each page',
      8,
      (n) => ({ items: rows(10, n * 10), total: n * 10 + 20 }),
    ],
  ])('fails where it %s', async (_, requests, answer) => {
    expect(await walk(answer)).toMatchObject({ error: 'contradiction', requests })
  })

  it('ends for every sequence of pages and totals', async () => {
    const page = fc.record({
      items: fc.oneof(fc.constant([]), fc.array(fc.nat(5), { maxLength: 12 })),
      total: fc.option(fc.oneof(fc.integer(), fc.nat(40)), { nil: undefined }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 8 }), async (pages) => {
        const { error, requests } = await walk((n) => pages[(n - 1) % pages.length]!)
        expect(error === undefined || error === 'contradiction').toBe(true)
        expect(requests).toBeLessThanOrEqual(pages.length + 1)
      }),
    )
  })
})
