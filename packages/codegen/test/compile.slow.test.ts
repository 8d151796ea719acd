import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { generate } from '../src/index.ts'
import { nestedFields, sampleListing } from './sample-listing.ts'
import { letters, unusual } from './unusual-listing.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'
import { bundler, nodeOnly, checkGenerated, runTsc } from '@servicekit/testing/tsc'

// Runs real compilers on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

describe('the generated code compiles under every strict option', () => {
  test.each([
    ['Node', {}],
    ['a bundler', bundler],
    ['Node without a browser’s types', nodeOnly],
  ])('for %s', async (_, options) => {
    const folder = temporaryFolder()
    const listings = {
      storefront,
      unusual,
      letters,
      none: [],
      nested: sampleListing(2, nestedFields),
    }
    for (const [name, listing] of Object.entries(listings)) {
      await generate({ listing, outDir: join(folder, name) })
    }
    checkGenerated(folder)
    expect(runTsc(folder, ['*/*.ts'], options).errors).toEqual([])
  })

  test.each(['number', 'bigint', 'string'] as const)('with Longs as %s', async (long) => {
    const folder = temporaryFolder()
    const options = { long, validators: true, factories: true, queryOptions: true, lookups: true }
    await generate({ listing: storefront, outDir: join(folder, 'gateway'), ...options })
    await generate({ listing: unusual, outDir: join(folder, 'unusual'), ...options })
    const isText = long === 'string'
    const use = `import type { Gateway } from './gateway/gateway.js'
import { execute } from './gateway/gateway.js'
import { listOrdersNested } from './gateway/order.js'
import { getProduct, insertProduct, listProducts, listProductsDocument, makeProduct, updateManyProduct } from './gateway/product.js'
import type { Product } from './gateway/product.js'
const count: ${long} | null = makeProduct().ViewCount
export const row: Product = makeProduct({ ViewCount: count })
export async function use(gateway: Gateway): Promise<readonly (${long} | null | undefined)[]> {
  const page = await listProducts(gateway, { where: { ViewCount: { gt: 5n, in: [5, ${isText ? "'5'" : '5n'}] } } })
  const one = await getProduct(gateway, 'id', { select: ['ViewCount'] })
  const any = await execute(gateway, listProductsDocument)
  const nested = await listOrdersNested(gateway, { select: { Number: true } })
  await insertProduct(gateway, { Name: 'Cup', Price: 1, Sku: 'C-1', ViewCount: 5n })
  await updateManyProduct(gateway, { ViewCount: { eq: ${isText ? "'5'" : '5'} } }, { ViewCount: ${isText ? "'6'" : '6'} })
  // @ts-expect-error a boolean for a Long
  await listProducts(gateway, { where: { ViewCount: { eq: true } } })
  // @ts-expect-error text is no Long, unless Longs are strings
  await listProducts(gateway, { where: { ViewCount: { eq: ${isText ? '{}' : "'5'"} } } })
  // @ts-expect-error the row has another type
  const other: ${isText ? 'bigint' : 'string'} | undefined = page.ok ? page.data.items[0]?.ViewCount! : undefined
  return [
    other as never,
    page.ok ? page.data.items[0]?.ViewCount : null,
    one.ok ? one.data?.ViewCount : null,
    any.ok ? any.data.Products?.items[0]?.ViewCount : null,
    nested.ok ? nested.data.items[0]?.Number : null,
  ]
}
`
    writeFileSync(join(folder, 'use.ts'), use)
    checkGenerated(folder)
    expect(runTsc(folder, ['use.ts', 'gateway/*.ts', 'unusual/*.ts']).errors).toEqual([])
  })

  test('with optional conditions, also without exactOptionalPropertyTypes', async () => {
    const folder = temporaryFolder()
    await generate({ listing: storefront, outDir: join(folder, 'gateway') })
    const use = `import type { Gateway } from './gateway/gateway.js'
import { omitUndefined } from './gateway/gateway-input.js'
import { listProducts } from './gateway/product.js'
export const found = (gateway: Gateway, name?: string): unknown[] => [
  listProducts(gateway, { where: omitUndefined({ Name: { contains: name }, Price: { gt: 1 } }) }),
  // @ts-expect-error a number for a text
  listProducts(gateway, { where: omitUndefined({ Name: { eq: 1 } }) }),
]
`
    writeFileSync(join(folder, 'use.ts'), use)
    expect(runTsc(folder, ['use.ts'], { exactOptionalPropertyTypes: false }).errors).toEqual([])
  })

  test.each([
    ['.ts', { allowImportingTsExtensions: true }],
    ['', bundler],
  ])('with imports that end with "%s"', async (importExtension, options) => {
    const folder = temporaryFolder()
    await generate({ listing: storefront, outDir: join(folder, 'gateway'), importExtension })
    checkGenerated(folder)
    expect(runTsc(folder, ['gateway/*.ts'], options).errors).toEqual([])
  })
})
