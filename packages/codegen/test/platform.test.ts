import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPlatform, type Platform } from '@servicekit/platform'
import { asAdministrator } from '@servicekit/testing/administrator'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type CodegenEvent, generate, runCodegen } from '../src/index.ts'
import { listCategories, listCategoriesDocument } from '../__snapshots__/storefront/category.ts'
import { listCustomersNested } from '../__snapshots__/storefront/customer.ts'
import { createGateway, execute, orThrow } from '../__snapshots__/storefront/gateway.ts'
import {
  getOrderNested,
  insertOrder,
  listOrders,
  listOrdersNested,
  walkOrdersNested,
} from '../__snapshots__/storefront/order.ts'
import {
  countProducts,
  getProduct,
  insertProduct,
  listProducts,
  walkProducts,
} from '../__snapshots__/storefront/product.ts'
import { temporaryFolder } from './temporary.ts'

// Takes long on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const projectKey = 'P5c1e7a90d2f84b6e8a3f9d41'
const baseUrl = 'http://platform.test'
let platform: Platform
const answer = (url: string, init: RequestInit): Promise<Response> =>
  platform.fetch(new Request(url, init))
const gateway = createGateway({ baseUrl, projectKey, fetch: answer })

beforeAll(async () => {
  platform = asAdministrator(
    await createPlatform({ projects: [path('../../../fixtures/projects/storefront')] }),
  )
})
afterAll(() => platform.close())

describe('generating from the platform', () => {
  test('gives the same files as the saved listing', async () => {
    const folder = temporaryFolder()
    const events: CodegenEvent['type'][] = []
    const options = { baseUrl, projectKey, outDir: folder, fetch: answer, pageSize: 4 }
    for await (const event of runCodegen(options)) events.push(event.type)
    expect(events).toEqual(['reading', 'page', 'page', 'modelled', 'done'])
    const snapshots = path('../__snapshots__/storefront')
    for (const name of readdirSync(snapshots).filter((name) => name.endsWith('.ts'))) {
      expect(readFileSync(join(folder, name), 'utf8'), name).toBe(
        readFileSync(join(snapshots, name), 'utf8'),
      )
    }
    expect(await generate({ ...options, check: true })).toMatchObject({
      schemas: 6,
      operations: 28,
      files: 20,
      isCurrent: true,
    })
  })

  test.each([1, 2, 5, 100])('in pages of %i gives the same files and lock', async (pageSize) => {
    const [all, paged] = [temporaryFolder(), temporaryFolder()]
    const options = { baseUrl, projectKey, fetch: answer }
    await generate({ ...options, outDir: all })
    await generate({ ...options, outDir: paged, pageSize })
    for (const name of readdirSync(all)) {
      expect(readFileSync(join(paged, name), 'utf8')).toBe(readFileSync(join(all, name), 'utf8'))
    }
  })

  test('a wrong project key keeps the last good files and shows the message of the service', async () => {
    const folder = temporaryFolder()
    const options = { baseUrl, projectKey, outDir: folder, fetch: answer }
    await generate(options)
    const before = readdirSync(folder)
    await expect(generate({ ...options, projectKey: 'WRONG' })).rejects.toMatchObject({
      code: 'LISTING_FAILED',
      details: { project: 'WRONG', status: 404, message: expect.any(String) as string },
    })
    expect(readdirSync(folder)).toEqual(before)
    expect(await generate(options)).toMatchObject({ written: [], removed: [] })
  })
})

describe('generated code works with the platform:', () => {
  test('lists a page of selected fields', async () => {
    const page = await orThrow(
      listProducts(gateway, {
        select: ['Name', 'Price'],
        where: { Price: { gt: 20, lte: 30 }, or: [{ IsActive: { eq: true } }] },
        order: [{ field: 'Price', direction: 'DESC' }],
        paging: { pageNo: 1, pageSize: 5 },
      }),
    )
    expect(page).toMatchObject({ pageNo: 1, pageSize: 5, hasPreviousPage: false })
    expect(page.items).toHaveLength(5)
    const prices = page.items.map((item) => item.Price ?? 0)
    expect(prices).toEqual([...prices].sort((left, right) => right - left))
    expect(Math.max(...prices)).toBeLessThanOrEqual(30)
    for (const item of page.items) expect(Object.keys(item)).toEqual(['ItemId', 'Name', 'Price'])
  })

  test('lists every scalar field', async () => {
    const { items } = await orThrow(listOrders(gateway, { paging: { pageNo: 2, pageSize: 3 } }))
    expect(items).toHaveLength(3)
    expect(items[0]).toMatchObject({ Number: expect.any(Number) as number, Tags: [] })
    expect(items[0]).not.toHaveProperty('Lines')
  })

  test('gets one row by its ItemId, or null', async () => {
    const { items } = await orThrow(listProducts(gateway, { select: ['Name'] }))
    const [first] = items
    const id = first!.ItemId!
    expect(await getProduct(gateway, id, { select: ['Name'] })).toEqual({ ok: true, data: first })
    expect(Object.keys((await orThrow(getProduct(gateway, id))) ?? {}).length).toBeGreaterThan(15)
    expect(await getProduct(gateway, 'nobody')).toEqual({ ok: true, data: null })
    expect(await getProduct({ ...gateway, projectKey: 'WRONG' }, id)).toMatchObject({ ok: false })
    const [order] = (await orThrow(listOrders(gateway, { select: ['Number'] }))).items
    const nested = await getOrderNested(gateway, order!.ItemId!, {
      select: { Number: true, Lines: { Sku: true } },
    })
    expect(nested).toMatchObject({ ok: true, data: { ...order } })
    expect(nested.ok && nested.data?.Lines?.[0]?.Sku).toMatch(/-/)
  })

  test('counts rows', async () => {
    const { totalCount } = await orThrow(listProducts(gateway))
    expect(await countProducts(gateway)).toEqual({ ok: true, data: totalCount })
    const few = await orThrow(countProducts(gateway, { Price: { gt: 20 } }))
    expect(few).toBeGreaterThan(0)
    expect(few).toBeLessThan(totalCount)
  })

  test('walks all pages, including nested objects', async () => {
    const total = await orThrow(countProducts(gateway))
    const ids: (string | null)[] = []
    for await (const { items } of walkProducts(gateway, { pageSize: 7 })) {
      ids.push(...items.map(({ ItemId }) => ItemId))
    }
    expect(new Set(ids).size).toBe(total)
    for await (const { items } of walkOrdersNested(gateway, { select: { Lines: { Sku: true } } })) {
      expect(items[0]?.Lines?.[0]?.Sku).toMatch(/-/)
    }
  })

  test('supports dates and every operator', async () => {
    const { totalCount } = await orThrow(listOrders(gateway))
    const { totalCount: early } = await orThrow(
      listOrders(gateway, { where: { PlacedAt: { lt: new Date('2025-09-01') } } }),
    )
    const { totalCount: late } = await orThrow(
      listOrders(gateway, { where: { PlacedAt: { gte: new Date('2025-09-01') } } }),
    )
    expect(early + late).toBe(totalCount)
    expect(early).toBeGreaterThan(0)
    const result = await listProducts(gateway, {
      where: {
        Name: { contains: 'a', neq: null, startsWith: 'H', endsWith: 'g', in: ['Harbour Mug'] },
        Price: { eq: 24, neq: 1, gt: 1, gte: 24, lt: 99, lte: 24, in: [24] },
        ReleasedAt: { neq: null, gt: '2020-01-01T00:00:00Z' },
        IsActive: { eq: true, neq: false },
        and: [{ ViewCount: { gte: 1 } }],
      },
    })
    expect(result).toMatchObject({ ok: true, data: { items: [{ Name: 'Harbour Mug' }] } })
  })

  test('selects nested objects', async () => {
    const { items } = await orThrow(
      listOrdersNested(gateway, {
        select: {
          Number: true,
          ShippingAddress: { City: true, Location: true },
          Lines: { Sku: true },
        },
        order: [{ field: 'Number', direction: 'ASC' }],
        paging: { pageNo: 1, pageSize: 1 },
      }),
    )
    expect(items).toEqual([
      {
        ItemId: 'f2d59313-9ad7-5a56-9dc6-32c68c3ef894',
        Number: 20250500001,
        ShippingAddress: {
          City: 'Alexandria',
          Location: { type: 'Point', coordinates: [29.9206, 31.2023] },
        },
        Lines: [{ Sku: 'PLN-008' }, { Sku: 'BRD-010' }],
      },
    ])
    const customers = listCustomersNested(gateway, {
      select: { HomeAddress: { CountryCode: true } },
    })
    expect((await orThrow(customers)).items[0]?.HomeAddress?.CountryCode).toHaveLength(2)
  })

  test('runs other documents', async () => {
    const result = await execute(gateway, listCategoriesDocument, {
      where: { IsVisible: { eq: true } },
    })
    const listed = await listCategories(gateway, { where: { IsVisible: { eq: true } } })
    expect(result).toEqual({ ok: true, data: { Categories: listed.ok && listed.data } })
  })

  test('inserts rows and reads them back', async () => {
    const where = { Sku: { eq: 'C-1' } }
    expect((await orThrow(listProducts(gateway, { where }))).totalCount).toBe(0)
    const inserted = await insertProduct(gateway, {
      Name: 'Cup',
      Price: 12,
      Sku: 'C-1',
      ReleasedAt: new Date('2026-01-02T03:04:05Z'),
      Dimensions: [8, 8, 9.5],
      Tags: ['new'],
    })
    expect(inserted).toMatchObject({ ok: true, data: { acknowledged: true, message: null } })
    const { items } = await orThrow(
      listProducts(gateway, { where, select: ['Name', 'ReleasedAt', 'Dimensions', 'Tags'] }),
    )
    expect(items).toEqual([
      {
        ItemId: inserted.ok && inserted.data.itemId,
        Name: 'Cup',
        ReleasedAt: '2026-01-02T03:04:05.000Z',
        Dimensions: [8, 8, 9.5],
        Tags: ['new'],
      },
    ])
  })

  test('inserts nested objects', async () => {
    const inserted = await insertOrder(gateway, {
      Number: 99,
      CustomerId: 'c-1',
      Status: 'placed',
      PlacedAt: new Date('2026-01-02'),
      Total: 24,
      Lines: [{ ProductId: 'p-1', Sku: 'MUG-001', Quantity: 1, UnitPrice: 24 }],
      ShippingAddress: { Recipient: 'A', Street: 'B 1', City: 'Bern', CountryCode: 'CH' },
    })
    const { items } = await orThrow(
      listOrdersNested(gateway, {
        where: { ItemId: { eq: inserted.ok ? inserted.data.itemId : '' } },
        select: { ShippingAddress: { City: true }, Lines: { Quantity: true } },
      }),
    )
    expect(items).toMatchObject([{ ShippingAddress: { City: 'Bern' }, Lines: [{ Quantity: 1 }] }])
  })
})

describe('a refusal of the platform is a failure:', () => {
  test('an ItemId that exists is not acknowledged', async () => {
    const ItemId = 'b23cf8af-b312-59ac-a9b4-c39497f16d86'
    const result = await insertProduct(gateway, { ItemId, Name: 'Cup', Price: 1, Sku: 'C-2' })
    expect(result).toMatchObject({
      ok: false,
      errors: [{ message: expect.stringContaining(ItemId) as string }],
      partial: { acknowledged: false },
    })
  })

  test('an unknown field', async () => {
    const result = await listProducts(gateway, { select: ['Nme' as 'Name'] })
    expect(result).toMatchObject({
      ok: false,
      errors: [{ message: expect.stringContaining('Nme') as string }],
    })
  })

  test('a wrong project key', async () => {
    const result = await listProducts({ ...gateway, projectKey: 'WRONG' })
    expect(result).toMatchObject({ ok: false, errors: [{ cause: { status: 404 } }] })
    expect(!result.ok && result.errors[0]?.message).not.toContain('HTTP')
  })
})
