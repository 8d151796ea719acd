import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeep } from '@servicekit/testing/is-deep'
import { describe, expect, test, vi } from 'vitest'
import { generate } from '../src/index.ts'
import { unusual } from './unusual-listing.ts'
import { right, wrong } from './programs.ts'
import { nestedFields, sampleListing } from './sample-listing.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'
import { bundler, type Compiler, compilers, checkGenerated, runTsc } from '@servicekit/testing/tsc'

// Runs real compilers on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000 })

const features = {
  queryOptions: true,
  validators: true,
  factories: true,
  lookups: true,
  labels: true,
} as const
const use = `
import { createGateway, insertProduct, listOrdersNested, listProducts, listProductsOptions, makeProduct, optimistic, ProductInsertSchema, ProductLabels, updateProductOptions, walkProducts } from './storefront/index.js'
const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
export async function all(): Promise<unknown> {
  for await (const { items } of walkProducts(gateway, { select: ['Name'], pageSize: 50 })) {
    const name: string | null | undefined = items[0]?.Name
    if (name === '') break
  }
  const listed = await listProducts(gateway, { select: ['Name'] })
  const nested = await listOrdersNested(gateway, { select: { Lines: { Sku: true } } })
  const sku: string | null | undefined = nested.ok ? nested.data.items[0]?.Lines?.[0]?.Sku : undefined
  // @ts-expect-error Sku is required on insert
  await insertProduct(gateway, { Name: 'Cup', Price: 12 })
  const price = makeProduct({ Name: 'Cup' }).Price
  return [listed, sku, price, ProductInsertSchema['~standard'].validate({}), listProductsOptions(gateway).queryKey, optimistic(updateProductOptions(gateway)).mutationKey, ProductLabels.Name]
}
`

const combinations = [
  ['ts', 'nodenext', {}],
  ['js', 'bundler', { ...bundler, skipLibCheck: false }],
  ['js', 'nodenext', { skipLibCheck: false }],
  ['ts', 'bundler', bundler],
] as const

/** Returns one combination, in turns; all of them in `npm run test:deep`. */
const combinationsOf = (compiler: Compiler) =>
  isDeep
    ? combinations
    : combinations.filter((_, index) => index === compilers.indexOf(compiler) % combinations.length)

describe.each(compilers)('%s', (compiler) => {
  test.each(combinationsOf(compiler))(
    'compiles the output %s and correct code under every strict option, for %s, and every mistake is an error',
    async (output, _, options) => {
      const folder = temporaryFolder()
      const listings = { storefront, unusual, none: [], nested: sampleListing(2, nestedFields) }
      for (const [name, listing] of Object.entries(listings)) {
        const documents = name === 'unusual' ? 'node' : 'string'
        await generate({ listing, outDir: join(folder, name), output, documents, ...features })
      }
      const programs = { use, right, wrong }
      for (const [name, text] of Object.entries(programs)) {
        writeFileSync(join(folder, `${name}.ts`), text)
      }
      // The library of 5.0 lacks AbortSignal.any, which applications do not notice.
      if (compiler !== 'typescript-5.0') checkGenerated(folder)
      expect(runTsc(folder, ['*.ts', '*/*.ts'], options, compiler).errors).toEqual([])
    },
  )
})
