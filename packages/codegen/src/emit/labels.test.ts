import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadModules } from '../../test/load-modules.ts'
import { listings } from '../../test/random-listing.ts'
import { storefront } from '../../test/storefront.ts'
import { temporaryFolder } from '../../test/temporary.ts'
import { runTsc } from '@servicekit/testing/tsc'
import { runCheck } from '../check.ts'
import { generate } from '../generate.ts'
import { buildModel } from '../model.ts'
import { normaliseListing } from '../normalise.ts'
import { emitAll } from './emit-all.ts'
import { buildLabels, emitLabelsFile, labelsName } from './labels.ts'

const labelsOf = (...schemas: readonly object[]): object => {
  const { text } = emitLabelsFile(buildLabels(buildModel(normaliseListing(schemas))))
  return JSON.parse(text) as object
}
const field = (name: string): object => ({ name, type: 'String' })

test('gateway.labels.json of the storefront', async () => {
  const { name, text } = emitLabelsFile(buildLabels(buildModel(normaliseListing(storefront))))
  await expect(text).toMatchFileSnapshot(`../../__snapshots__/storefront/${name}`)
})

test('a schema never has the key of a field', () => {
  const labels = labelsOf(
    { schemaName: 'Order', schemaType: 2, fields: [field('Line'), field('SKUCode')] },
    { schemaName: 'OrderLine', schemaType: 2, fields: [field('order_id'), field('ÜberIds')] },
  )
  expect(labels).toEqual({
    ORDER: 'Order',
    ORDER_LINE: 'Order line',
    ORDER_LINE__ORDER_ID: 'Order ID',
    ORDER__LINE: 'Line',
    ORDER__SKU_CODE: 'SKU code',
  })
})

test('every schema and field of a random listing has a key of its own', () => {
  let count = 0
  fc.assert(
    fc.property(listings, (listing) => {
      const model = buildModel(normaliseListing(listing))
      const { texts, schemas, fields } = buildLabels(model)
      expect(schemas.size).toBe(model.schemas.length)
      expect(fields.size).toBe(model.schemas.reduce((sum, one) => sum + one.fields.length, 0))
      const keys = new Set([...schemas.values(), ...fields.values()])
      expect([...texts.keys()].sort()).toEqual([...keys].sort())
      expect([...texts.values()]).not.toContain('')
      count += keys.size
    }),
  )
  expect(count).toBeGreaterThan(300)
})

test('each module exports its keys', async () => {
  const files = emitAll(buildModel(normaliseListing(storefront)), { labels: true })
  const sources = files.filter(({ name }) => !name.endsWith('.json'))
  const { ProductSchemaLabel, ProductLabels, OrderLabels } = (await loadModules(sources)).get(
    'index.ts',
  )!
  expect(ProductSchemaLabel).toBe('PRODUCT')
  expect(ProductLabels).toMatchObject({ CompareAtPrice: 'PRODUCT__COMPARE_AT_PRICE' })
  expect(OrderLabels).toMatchObject({
    Lines: 'ORDER__LINES',
    CreatedDate: 'RECORD__CREATED_DATE',
  })
})

test.each(['ts', 'js'] as const)('the keys are typed in the output %s', async (output) => {
  const folder = temporaryFolder()
  await generate({ listing: storefront, outDir: join(folder, 'gateway'), labels: true, output })
  writeFileSync(
    join(folder, 'use.ts'),
    `import { ProductLabels, ProductSchemaLabel } from './gateway/product.js'
export const name: 'PRODUCT__NAME' = ProductLabels.Name
export const schema: 'PRODUCT' = ProductSchemaLabel
// @ts-expect-error a field that there is not
export const none: string = ProductLabels.Colour
`,
  )
  expect(runTsc(folder, ['use.ts']).errors).toEqual([])
})

test('a check reports keys that are outdated, missing, or no longer generated', async () => {
  const options = { listing: storefront, outDir: temporaryFolder(), labels: true }
  await generate(options)
  const check = async (labels: boolean) => {
    for await (const event of runCheck({ ...options, labels }))
      if (event.type === 'done') return event.report
    throw new Error('The check has no report')
  }
  const file = join(options.outDir, labelsName)
  expect(await check(true)).toMatchObject({ verdict: 'same', stale: [], orphans: [] })
  expect((await check(false)).orphans).toEqual([labelsName])
  writeFileSync(file, '{"PRODUCT": "Product"}')
  expect(await check(true)).toMatchObject({ verdict: 'stale', stale: [labelsName] })
  rmSync(file)
  expect(await check(true)).toMatchObject({ verdict: 'stale', stale: [labelsName] })
  expect((await generate(options)).written).toEqual([labelsName])
  expect((await generate({ ...options, labels: false })).removed).toEqual([labelsName])
  expect(existsSync(file)).toBe(false)
})
