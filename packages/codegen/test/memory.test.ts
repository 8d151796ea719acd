import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { onEachEngine } from '@servicekit/testing/engines'
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import { isDeep } from '@servicekit/testing/is-deep'
import { createMemoryGateway } from '../src/testing.ts'
import { createGateway } from '../__snapshots__/storefront/gateway.ts'
import {
  deleteProduct,
  getProduct,
  insertProduct,
  listProducts,
  updateProduct,
  walkProducts,
} from '../__snapshots__/storefront/product.ts'
import { type GatewayRequest, listings, requestsOf, type Schema } from './random-requests.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 300_000 })

const schemas = isDeep ? 60 : 3
/** Sequences of requests for each schema. */
const runs = isDeep ? 20 : 3

onEachEngine((engine) => {
  describe('the gateway in memory', () => {
    const time = '2026-03-01T12:00:00.000Z'
    let listing: readonly Schema[]
    let platform: (request: Request) => Promise<Response>
    beforeAll(async () => {
      ;[listing] = fc.sample(listings(schemas), { numRuns: 1, seed: 20_26 }) as [readonly Schema[]]
      const folder = temporaryFolder(afterAll)
      const project = { name: 'Random', projectKey: 'random', fallback: 'en-US' }
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'project.json'), JSON.stringify(project))
      writeFileSync(join(folder, 'schemas.json'), JSON.stringify(listing))
      const opened = await engine.open({ projects: [folder], clock: time })
      platform = opened.fetch
    })

    test(`responds like the platform to random requests`, async () => {
      const counts = { lists: 0, rows: 0, changes: 0, errors: 0 }
      for (const schema of listing.filter(({ schemaType }) => schemaType === 1)) {
        const requests = fc.array(requestsOf(schema, listing), { minLength: 25, maxLength: 40 })
        // Those that the requests need: parsing all of them takes longer than the requests.
        const needed = listing.filter((one) => one.schemaType === 2 || one === schema)
        await fc.assert(
          fc.asyncProperty(requests, async (all) => {
            const memory = createMemoryGateway({ listing: needed, now: () => new Date(time) })
            await send(platform, remove(schema))
            for (const request of all) {
              const expected = await send(platform, request)
              expect(await send(memory.fetch, request)).toEqual(expected)
              count(expected, counts)
            }
          }),
          { numRuns: runs, seed: 20_26 },
        )
      }
      // Most requests must reach the records, or the comparison is worth little.
      expect(counts.rows).toBeGreaterThan(counts.lists / 2)
      expect(counts.changes).toBeGreaterThan(schemas * runs)
      expect(counts.errors).toBeGreaterThan(schemas)
    })
  })
})

interface Result {
  readonly acknowledged?: boolean
  readonly itemIds?: string[]
  message?: string | null
  readonly items?: readonly unknown[]
}

interface Body {
  readonly data?: Readonly<Record<string, Result | null>> | null
  readonly errors?: readonly { readonly message: string; readonly extensions: { code: string } }[]
}

async function send(
  fetch: (request: Request) => Promise<Response>,
  request: GatewayRequest,
): Promise<Body> {
  const init = {
    method: 'POST',
    headers: { 'x-service-key': 'random', 'content-type': 'application/json' },
    body: printExactJson(request),
  }
  const response = await fetch(new Request('http://platform.test/data/v4/gateway', init))
  const body = parseExactJson(await response.text()) as Body
  // No order is defined for the records of a mutation.
  for (const result of Object.values(body.data ?? {})) {
    if (!result) continue
    result.itemIds?.sort()
    result.message &&= result.message.replace(/(?<=ItemId ).*(?= already)/, (ids) =>
      ids.split(', ').sort().join(', '),
    )
  }
  // The platform reports three errors of variables, because each prints the rejected value.
  return body.errors ? { ...body, errors: body.errors.slice(0, 3) } : body
}

const remove = ({ schemaName }: Schema): GatewayRequest => ({
  query: `mutation($where:${schemaName}FilterInput){deleteMany${schemaName}(where:$where,input:{isHardDelete:true}){acknowledged}}`,
  variables: { where: { ItemId: { neq: null } } },
})

function count(
  { data, errors }: Body,
  counts: { lists: number; rows: number; changes: number; errors: number },
): void {
  if (errors) counts.errors++
  const [result] = Object.values(data ?? {})
  if (result?.acknowledged === true) counts.changes++
  if (!result?.items) return
  counts.lists++
  counts.rows += result.items.length
}

describe('with generated code, the gateway in memory', () => {
  const record = { ItemId: 'p1', Name: 'Cup', Price: 12, Sku: 'C-1', ReleasedAt: new Date(0) }

  test('starts with the given records, and inserts, updates and deletes', async () => {
    const memory = createMemoryGateway({ listing: storefront, records: { Product: [record] } })
    const gateway = createGateway(memory)
    expect(await getProduct(gateway, 'p1', { select: ['Name', 'ReleasedAt'] })).toEqual({
      ok: true,
      data: { ItemId: 'p1', Name: 'Cup', ReleasedAt: '1970-01-01T00:00:00.000Z' },
    })
    const inserted = await insertProduct(gateway, { Name: 'Mug', Price: 9, Sku: 'M-1' })
    const itemId = inserted.ok && inserted.data.itemId
    expect(itemId).toBe('10000000-0000-4000-8000-000000000001')
    await updateProduct(gateway, 'p1', { Price: 15 })
    const select = ['Name', 'Price'] as const
    expect(await listProducts(gateway, { select, order: [{ field: 'Price' }] })).toMatchObject({
      data: {
        items: [
          { Name: 'Mug', Price: 9 },
          { Name: 'Cup', Price: 15 },
        ],
      },
    })
    await deleteProduct(gateway, 'p1', { isHardDelete: false })
    expect(memory.records('Product').map(({ Name }) => Name)).toEqual(['Mug'])
  })

  test('refuses what the platform refuses', async () => {
    const gateway = createGateway(createMemoryGateway({ listing: storefront }))
    expect(await insertProduct(gateway, { Name: 'Mug' } as never)).toMatchObject({
      ok: false,
      errors: [
        { message: 'Price, Sku: a value is required.', extensions: { code: 'VALIDATION_ERROR' } },
      ],
    })
    expect(await updateProduct(gateway, 'nobody', { Price: 1 })).toMatchObject({
      ok: false,
      errors: [{ message: 'No Product matches.' }],
    })
  })

  test('serves walks', async () => {
    const records = Array.from({ length: 250 }, (_, index) => ({ ...record, ItemId: `p${index}` }))
    const gateway = createGateway(
      createMemoryGateway({ listing: storefront, records: { Product: records } }),
    )
    let count = 0
    for await (const { items } of walkProducts(gateway)) count += items.length
    expect(count).toBe(250)
  })

  test('names an unknown schema of its records', () => {
    expect(() => createMemoryGateway({ listing: storefront, records: { Produkt: [] } })).toThrow(
      'Unknown schema "Produkt". Did you mean "Product"?',
    )
  })
})
