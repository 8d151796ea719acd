import { expect, test } from 'vitest'
import { storefront } from '../../test/storefront.ts'
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

test('the storefront’s files', () => {
  expect(files.map(({ name }) => name)).toEqual([
    'gateway.ts',
    'gateway-walk.ts',
    'index.ts',
    'address.ts',
    'category.ts',
    'customer.ts',
    'order.ts',
    'order-line.ts',
    'product.ts',
  ])
})

test('the same listing in another order gives the same bytes', () => {
  const reversed = [...(storefront as readonly unknown[])].reverse()
  expect(emitAll(buildModel(normaliseListing(reversed)))).toEqual(files)
})

test('texts end with one line end, and imports with the wanted ending', () => {
  const model = buildModel(normaliseListing(storefront))
  for (const { text } of emitAll(model, { importExtension: '.ts' })) {
    expect(text).toMatch(/[^\n]\n$/)
    expect(text).not.toContain('\r')
    for (const [, path] of text.matchAll(/ from '([^']+)'/g))
      expect(path).toMatch(/^\.\/[a-z-]+\.ts$/)
  }
})
