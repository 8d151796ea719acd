import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listings } from '../test/random-listing.ts'
import { storefront } from '../test/storefront.ts'
import { emitAll } from './emit/emit-all.ts'
import { parseLock, printLock } from './lockfile.ts'
import { buildModel, dependsOnOrder } from './model.ts'
import { normaliseListing } from './normalise.ts'

const emit = (listing: unknown): unknown => emitAll(buildModel(normaliseListing(listing)))
const throughLock = (listing: unknown): unknown =>
  parseLock(
    printLock(
      new Map(),
      normaliseListing(listing),
      dependsOnOrder(buildModel(normaliseListing(listing))),
    ),
  ).listing

describe('the lockfile', () => {
  test('stores everything that the generated files depend on', () => {
    expect(emit(throughLock(storefront))).toEqual(emit(storefront))
  })

  test('stores random listings completely', () => {
    fc.assert(
      fc.property(listings, (listing) => {
        expect(emit(throughLock(listing))).toEqual(emit(listing))
      }),
      { numRuns: 300 },
    )
  })

  test('is JSON with one line for each schema', () => {
    const text = printLock(new Map([['a.ts', '1']]), normaliseListing(storefront), false)
    expect(JSON.parse(text)).toMatchObject({ lockVersion: 2, files: { 'a.ts': '1' } })
    expect(text.split('\n').filter((line) => line.includes('"Product": '))).toHaveLength(1)
  })

  test.each(['', '{', '[]', '{"files": 3, "schemas": []}', '{"lockVersion": 1, "files": {}}'])(
    'is empty for %j',
    (text) => {
      expect(parseLock(text)).toEqual({ files: new Map(), listing: undefined })
    },
  )

  test('ignores files outside its folder', () => {
    const { files } = parseLock('{"files": {"../a.ts": "1", "b.ts": "2", "c.sh": "3"}}')
    expect([...files]).toEqual([['b.ts', '2']])
  })
})
