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
