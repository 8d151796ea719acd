import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import { onEachEngine } from '@servicekit/testing/engines'
import { createGateway, type Gateway, orThrow } from '../__snapshots__/storefront/gateway.ts'
import { getOrderNested, listOrders, updateOrder } from '../__snapshots__/storefront/order.ts'
import {
  countProducts,
  deleteManyProduct,
  deleteProduct,
  getProduct,
  insertManyProduct,
  insertProduct,
  updateManyProduct,
  updateProduct,
} from '../__snapshots__/storefront/product.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const projectKey = 'P5c1e7a90d2f84b6e8a3f9d41'
const storefront = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const cup = (Sku: string, Price = 12) => ({ Name: 'Cup', Price, Sku })
const hard = { isHardDelete: true }

onEachEngine((engine) => {
  let gateway: Gateway
  beforeAll(async () => {
    const platform = asAdministrator(await engine.open({ projects: [storefront] }))
    gateway = createGateway({
      baseUrl: 'http://platform.test',
      projectKey,
      fetch: (url, init) => platform.fetch(new Request(url, init)),
    })
  })
  const insert = async (sku: string): Promise<string> =>
    (await orThrow(insertProduct(gateway, cup(sku)))).itemId!
  const count = (sku: string): Promise<number> =>
    orThrow(countProducts(gateway, { Sku: { startsWith: sku } }))

  describe('a generated mutation', () => {
    test('updates one record by its ItemId, and leaves other fields alone', async () => {
      const id = await insert('U-1')
      const updated = await orThrow(updateProduct(gateway, id, { Price: 15, Description: null }))
      expect(updated).toEqual({
        acknowledged: true,
        itemId: id,
        totalImpactedData: 1,
        message: null,
      })
      const row = await orThrow(getProduct(gateway, id, { select: ['Name', 'Price', 'Sku'] }))
      expect(row).toEqual({ ItemId: id, Name: 'Cup', Price: 15, Sku: 'U-1' })
    })

    test('updates the first record that matches a condition', async () => {
      const id = await insert('U-2')
      const where = { Sku: { eq: 'U-2' }, LastUpdatedDate: { gt: new Date(0) } }
      expect(await updateProduct(gateway, where, { ReleasedAt: new Date(0) })).toMatchObject({
        ok: true,
        data: { itemId: id },
      })
      const row = await orThrow(getProduct(gateway, id, { select: ['ReleasedAt'] }))
      expect(row?.ReleasedAt).toBe('1970-01-01T00:00:00.000Z')
    })

    test('replaces nested objects as a whole', async () => {
      const [order] = (await orThrow(listOrders(gateway, { select: ['Number'] }))).items
      const id = order!.ItemId!
      const Lines = [{ ProductId: 'p', Sku: 'NEW-1', Quantity: 2, UnitPrice: 3 }]
      const input = { Status: 'paid', ChangeReason: 'a line was added', Lines }
      expect(await updateOrder(gateway, id, input)).toMatchObject({ ok: true })
      const select = { Status: true, Lines: { Sku: true, Quantity: true } } as const
      expect(await orThrow(getOrderNested(gateway, id, { select }))).toEqual({
        ItemId: id,
        Status: 'paid',
        Lines: [{ Sku: 'NEW-1', Quantity: 2 }],
      })
    })

    test('inserts, updates and deletes many records', async () => {
      const many = await orThrow(insertManyProduct(gateway, [cup('M-1'), cup('M-2'), cup('M-3')]))
      expect(many).toMatchObject({ acknowledged: true, totalImpactedData: 3, message: null })
      expect(new Set(many.itemIds).size).toBe(3)
      const where = { or: [{ Sku: { eq: 'M-1' } }, { Sku: { eq: 'M-2' } }] }
      const updated = await orThrow(updateManyProduct(gateway, where, { Stock: 7 }))
      expect([...updated.itemIds].sort()).toEqual(many.itemIds.slice(0, 2).sort())
      expect(await orThrow(countProducts(gateway, { Stock: { eq: 7 }, ...where }))).toBe(2)
      const deleted = await deleteManyProduct(gateway, { ItemId: { in: many.itemIds } }, hard)
      expect(deleted).toMatchObject({ ok: true, data: { totalImpactedData: 3 } })
      expect(await count('M-')).toBe(0)
    })

    test.each([true, false])('with isHardDelete %j removes a record from queries', async (kind) => {
      const id = await insert('D-1')
      const deleted = await orThrow(deleteProduct(gateway, id, { isHardDelete: kind }))
      expect(deleted).toMatchObject({ acknowledged: true, itemId: id, totalImpactedData: 1 })
      expect(await getProduct(gateway, id)).toEqual({ ok: true, data: null })
      expect(await count('D-1')).toBe(0)
    })
  })

  describe('a refused mutation is a failure:', () => {
    test.each([
      ['updateProduct', () => updateProduct(gateway, 'nobody', { Price: 1 })],
      ['updateManyProduct', () => updateManyProduct(gateway, { Sku: { eq: 'none' } }, {})],
      ['deleteProduct', () => deleteProduct(gateway, 'nobody', hard)],
      ['deleteManyProduct', () => deleteManyProduct(gateway, { Sku: { eq: 'none' } }, hard)],
    ] as const)('%s that matches nothing is not acknowledged', async (_, run) => {
      expect(await run()).toMatchObject({
        ok: false,
        errors: [{ message: 'No Product matches.' }],
        partial: { acknowledged: false, totalImpactedData: 0 },
      })
    })

    test('an insert of many with an ItemId that exists inserts none', async () => {
      const ItemId = await insert('R-1')
      const result = await insertManyProduct(gateway, [cup('R-2'), { ...cup('R-3'), ItemId }])
      expect(result).toMatchObject({
        ok: false,
        errors: [{ message: expect.stringContaining(ItemId) as string }],
        partial: { acknowledged: false, itemIds: [] },
      })
      expect(await count('R-2')).toBe(0)
    })

    test('a field without its required value', async () => {
      const [order] = (await orThrow(listOrders(gateway, { select: ['Number'] }))).items
      const input = { Status: 'paid' } as { Status: string; ChangeReason: string }
      expect(await updateOrder(gateway, order!.ItemId!, input)).toMatchObject({
        ok: false,
        errors: [{ message: expect.stringContaining('ChangeReason') as string }],
      })
      const many = insertManyProduct(gateway, [cup('V-1'), { Name: 'Cup' } as never])
      expect(await many).toMatchObject({
        ok: false,
        errors: [{ message: expect.stringContaining('input[1].Price') as string }],
      })
      expect(await count('V-1')).toBe(0)
    })

    test('an empty condition changes nothing', async () => {
      const before = await count('')
      const result = await deleteManyProduct(gateway, { Name: {} } as never, hard)
      expect(result).toMatchObject({
        ok: false,
        errors: [{ extensions: { code: 'CONDITION_EMPTY' } }],
      })
      expect(await count('')).toBe(before)
    })
  })
})
