import { isDeep } from '@servicekit/testing/is-deep'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listings } from '../../test/random-listing.ts'
import { storefront } from '../../test/storefront.ts'
import { printLock } from '../lockfile.ts'
import { buildModel } from '../model.ts'
import { normaliseListing } from '../normalise.ts'
import { emitAll } from './emit-all.ts'

const files = emitAll(buildModel(normaliseListing(storefront)))

test.each(files.map(({ name, text }) => [name, text] as const))(
  '%s of the storefront',
  async (name, text) => {
    await expect(text).toMatchFileSnapshot(`../../__snapshots__/storefront/${name}`)
  },
)

test('emits one file per schema, the runtime and the barrel', () => {
  expect(files.map(({ name }) => name)).toEqual([
    'gateway.ts',
    'gateway-types.ts',
    'gateway-request.ts',
    'gateway-documents.ts',
    'gateway-list.ts',
    'gateway-exact-json.ts',
    'gateway-long.ts',
    'gateway-longs.ts',
    'gateway-selection.ts',
    'gateway-walk.ts',
    'gateway-mutations.ts',
    'gateway-input.ts',
    'index.ts',
    'address.ts',
    'category.ts',
    'customer.ts',
    'order.ts',
    'order-line.ts',
    'product.ts',
  ])
})

test('the order of the listing does not change the output', () => {
  const reversed = [...(storefront as readonly unknown[])].reverse()
  expect(emitAll(buildModel(normaliseListing(reversed)))).toEqual(files)
})

test('the order of a random listing without duplicates does not change the output', () => {
  const twice = new Set(['DUPLICATE_SCHEMA', 'DUPLICATE_OPERATION'])
  let tried = 0
  const shuffles = listings.chain((listing) =>
    fc.tuple(fc.constant(listing), fc.shuffledSubarray(listing, { minLength: listing.length })),
  )
  fc.assert(
    fc.property(shuffles, ([listing, shuffled]) => {
      const model = buildModel(normaliseListing(listing))
      fc.pre(!model.problems.some(({ code }) => twice.has(code)))
      const other = normaliseListing(shuffled)
      expect(emitAll(buildModel(other))).toEqual(emitAll(model))
      const hashes = new Map([['a.ts', '1']])
      expect(printLock(hashes, other, false)).toBe(
        printLock(hashes, normaliseListing(listing), false),
      )
      tried += Number(listing.length > 1)
    }),
    { numRuns: isDeep ? 400 : 100, maxSkipsPerRun: 100 },
  )
  expect(tried).toBeGreaterThan(50)
})

test('files end with one newline, and imports with the configured extension', () => {
  const model = buildModel(normaliseListing(storefront))
  for (const { text } of emitAll(model, { importExtension: '.ts' })) {
    expect(text).toMatch(/[^\n]\n$/)
    expect(text).not.toContain('\r')
    for (const [, path] of text.matchAll(/ from '([^']+)'/g))
      expect(path).toMatch(/^\.\/[a-z-]+\.ts$/)
  }
})
