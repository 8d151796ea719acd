import { HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createGateway } from '../__snapshots__/storefront/gateway.ts'
import {
  countProducts,
  deleteManyProduct,
  deleteManyProductDocument,
  getProduct,
  insertProduct,
  insertProductDocument,
  listProducts,
  listProductsDocument,
  type Product,
  updateProduct,
  updateProductDocument,
  walkProducts,
} from '../__snapshots__/storefront/product.ts'
import { buildModel, emitAll, normaliseListing } from '../src/index.ts'
import { acknowledged, handleOperation, pageOf, refusal } from '../src/msw.ts'
import { loadModules } from './load-modules.ts'
import { storefront } from './storefront.ts'

vi.setConfig({ testTimeout: 120_000 })

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
const modules = loadModules(
  emitAll(buildModel(normaliseListing(storefront)), { factories: true }),
  afterAll,
)
const makeProduct = async (overrides: Partial<Product>, seed?: number) => {
  const make = (await modules).get('product.ts')!['makeProduct']
  return (make as (overrides: object, seed?: number) => Product)(overrides, seed)
}

test('a handler mocks one operation with typed variables', async () => {
  const cup = await makeProduct({ ItemId: 'p1', Name: 'Cup' })
  server.use(
    handleOperation(listProductsDocument, ({ where, paging }) => {
      const rows = where?.ItemId?.eq === 'gone' ? [] : [cup, cup, cup]
      return pageOf(rows, paging)
    }),
    handleOperation(insertProductDocument, ({ input }) => acknowledged(input.Sku)),
    handleOperation(deleteManyProductDocument, () => acknowledged('a', 'b')),
  )
  const paging = { pageNo: 2, pageSize: 2 }
  expect(await listProducts(gateway, { paging })).toMatchObject({
    ok: true,
    data: { items: [{ Name: 'Cup' }], totalCount: 3, totalPages: 2, hasPreviousPage: true },
  })
  expect(await getProduct(gateway, 'gone')).toEqual({ ok: true, data: null })
  expect(await countProducts(gateway)).toEqual({ ok: true, data: 3 })
  const inserted = await insertProduct(gateway, { Name: 'Cup', Price: 1, Sku: 'S-1' })
  expect(inserted.ok && inserted.data.itemId).toBe('S-1')
  const where = { Name: { eq: 'Cup' } }
  expect(await deleteManyProduct(gateway, where, { isHardDelete: true })).toMatchObject({
    ok: true,
    data: { itemIds: ['a', 'b'], totalImpactedData: 2 },
  })
})

test('a handler refuses, or loses the connection', async () => {
  server.use(
    handleOperation(updateProductDocument, () => refusal('You may not edit Product.')),
    handleOperation(listProductsDocument, () => HttpResponse.error()),
  )
  expect(await updateProduct(gateway, 'p1', { Price: 1 })).toMatchObject({
    ok: false,
    errors: [{ message: 'You may not edit Product.', extensions: { code: 'AUTH_NOT_AUTHORIZED' } }],
  })
  expect(await listProducts(gateway)).toMatchObject({ ok: false })
})

test('the handler of a list handles its walks', async () => {
  const rows = await Promise.all(
    Array.from({ length: 250 }, (_, index) => makeProduct({ ItemId: `p${index}` }, index)),
  )
  server.use(handleOperation(listProductsDocument, ({ paging }) => pageOf(rows, paging)))
  const ids: string[] = []
  const onMoved = () => expect.unreachable()
  for await (const { items } of walkProducts(gateway, { onMoved }))
    ids.push(...items.map(({ ItemId }) => ItemId))
  expect(ids).toEqual(rows.map(({ ItemId }) => ItemId))
  server.use(handleOperation(listProductsDocument, () => refusal('You may not read Product.')))
  await expect(walkProducts(gateway).next()).rejects.toThrow('You may not read Product.')
})

test('a syntax tree works as a document, too', async () => {
  const options = { documents: 'node' } as const
  const trees = await loadModules(emitAll(buildModel(normaliseListing(storefront)), options))
  const document = trees.get('product.ts')!['listProductsDocument'] as typeof listProductsDocument
  const cup = await makeProduct({ Name: 'Cup' })
  server.use(handleOperation(document, () => pageOf([cup])))
  expect(await listProducts(gateway)).toMatchObject({ data: { items: [{ Name: 'Cup' }] } })
})

test('handlers are typed by their documents', () => {
  // Only type-checked.
  const typed = () => [
    // @ts-expect-error a product has no colour
    handleOperation(listProductsDocument, ({ where }) => pageOf([where?.Colour])),
    // @ts-expect-error a list returns a page
    handleOperation(listProductsDocument, () => acknowledged('1')),
    // @ts-expect-error rows have all scalar fields
    handleOperation(listProductsDocument, () => pageOf([{ Name: 'Cup' }])),
    // @ts-expect-error an insert returns no page
    handleOperation(insertProductDocument, () => pageOf([])),
  ]
  expect(typed).toBeTypeOf('function')
})
