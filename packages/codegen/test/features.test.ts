import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ApolloClient, ApolloLink, InMemoryCache, Observable } from '@apollo/client'
import { createPlatform, type Platform } from '@servicekit/platform'
import { asAdministrator } from '@servicekit/testing/administrator'
import { QueryClient } from '@tanstack/query-core'
import { createClient, fetchExchange } from '@urql/core'
import fc from 'fast-check'
import { type DocumentNode, parse, print } from 'graphql'
import { request } from 'graphql-request'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { StandardSchema } from '../runtime/gateway-validate.ts'
import { buildModel, emitAll, type EmitOptions, generate, normaliseListing } from '../src/index.ts'
import { loadModules } from './load-modules.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'
import { checkGenerated, runTsc } from '@servicekit/testing/tsc'

vi.setConfig({ testTimeout: 120_000 })

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const projectKey = 'P5c1e7a90d2f84b6e8a3f9d41'
const baseUrl = 'http://platform.test'
const endpoint = `${baseUrl}/data/v4/gateway`
const headers = { 'x-service-key': projectKey }
let platform: Platform
const answer = (url: unknown, init?: RequestInit): Promise<Response> =>
  platform.fetch(new Request(String(url), init))

beforeAll(async () => {
  platform = asAdministrator(
    await createPlatform({ projects: [path('../../../fixtures/projects/storefront')] }),
  )
})
afterAll(() => platform.close())

type Exports = Readonly<Record<string, unknown>>

async function load(options: Partial<EmitOptions>): Promise<Exports> {
  const modules = await loadModules(emitAll(buildModel(normaliseListing(storefront)), options))
  return modules.get('index.ts')!
}

describe('documents', () => {
  const variables = { paging: { pageNo: 1, pageSize: 2 } }

  test('as strings work with urql and graphql-request', async () => {
    const document = (await load({}))['listProductsDocument'] as string
    expect(typeof document).toBe('string')
    const client = createClient({
      url: endpoint,
      exchanges: [fetchExchange],
      preferGetMethod: false,
      fetch: answer,
      fetchOptions: { headers },
    })
    const { data, error } = await client.query(document, variables).toPromise()
    expect(error).toBeUndefined()
    expect(data).toMatchObject({ Products: { items: [{}, {}], pageSize: 2 } })
    vi.stubGlobal('fetch', answer)
    expect(await request({ url: endpoint, document, variables, requestHeaders: headers })).toEqual({
      Products: data.Products,
    })
  })

  test('as syntax trees work with Apollo Client', async () => {
    const document = (await load({ documents: 'node' }))['listProductsDocument'] as DocumentNode
    const link = new ApolloLink(
      ({ query, variables }) =>
        new Observable((observer) => {
          const body = JSON.stringify({ query: print(query), variables })
          const init = {
            method: 'POST',
            headers: { ...headers, 'content-type': 'application/json' },
            body,
          }
          answer(endpoint, init)
            .then((response) => response.json())
            .then((result) => {
              observer.next(result as object)
              observer.complete()
            })
            .catch((error: unknown) => observer.error(error))
        }),
    )
    const client = new ApolloClient({
      link,
      cache: new InMemoryCache({ addTypename: false } as object),
    })
    const { data } = await client.query({ query: document, variables })
    expect(data).toMatchObject({ Products: { items: [{}, {}], pageSize: 2 } })
  })

  test('are equivalent in both forms', async () => {
    const [strings, nodes] = [await load({}), await load({ documents: 'node' })]
    const names = Object.keys(strings).filter((name) => name.endsWith('Document'))
    expect(names).toHaveLength(28)
    for (const name of names) {
      const text = print(nodes[name] as DocumentNode)
      // Syntax trees have a name, which the tools of Apollo and urql show.
      const anonymous = text.replace(/^(query|mutation) \w+/, '$1 ').replace(/^query {2}/, 'query ')
      expect(print(parse(anonymous))).toBe(print(parse(strings[name] as string)))
    }
  })

  test('type the result and the variables for each client', async () => {
    const folder = temporaryFolder()
    await generate({ listing: storefront, outDir: join(folder, 'text'), queryOptions: true })
    await generate({ listing: storefront, outDir: join(folder, 'tree'), documents: 'node' })
    symlinkSync(path('../../../node_modules'), join(folder, 'node_modules'))
    writeFileSync(
      join(folder, 'use.ts'),
      `import type { ApolloClient } from '@apollo/client'
import type { QueryClient } from '@tanstack/query-core'
import type { Client } from '@urql/core'
import { request } from 'graphql-request'
import { type Gateway, listProductsDocument, listProductsOptions } from './text/index.js'
import { listProductsDocument as tree } from './tree/index.js'
declare const apollo: ApolloClient
declare const urql: Client
declare const tanstack: QueryClient
declare const gateway: Gateway
const variables = { where: { Price: { gt: 5 } } }
export async function use(): Promise<(number | null | undefined)[]> {
  const first = await urql.query(listProductsDocument, variables).toPromise()
  const second = await request('/gateway', listProductsDocument, variables)
  const third = await apollo.query({ query: tree, variables })
  const fourth = await urql.query(tree, variables).toPromise()
  const fifth = await tanstack.fetchQuery(listProductsOptions(gateway, { select: ['Price'] }))
  // @ts-expect-error a condition that there is not
  void urql.query(listProductsDocument, { where: { Colour: { eq: 'red' } } })
  // @ts-expect-error the same for Apollo Client
  void apollo.query({ query: tree, variables: { where: { Colour: { eq: 'red' } } } })
  // @ts-expect-error a field that was not selected
  void fifth.items[0]?.Name
  return [
    first.data?.Products?.items[0]?.Price,
    second.Products?.items[0]?.Price,
    third.data?.Products?.items[0]?.Price,
    fourth.data?.Products?.items[0]?.Price,
    fifth.items[0]?.Price,
  ]
}
`,
    )
    checkGenerated(folder)
    expect(
      runTsc(folder, ['use.ts'], { lib: ['es2023', 'dom', 'esnext.disposable'] }).errors,
    ).toEqual([])
  })
})

describe('query options', () => {
  test('work with TanStack Query: key, errors and signal', async () => {
    const { createGateway, listProductsOptions, getProductOptions } = await load({
      queryOptions: true,
    })
    const signals: unknown[] = []
    const gateway = (createGateway as (options: object) => object)({
      baseUrl,
      projectKey,
      fetch: (url: string, init: RequestInit) => {
        signals.push(init.signal)
        return answer(url, init)
      },
    })
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    type Options = {
      queryKey: readonly unknown[]
      queryFn: (context: { signal: AbortSignal }) => Promise<{ items: { ItemId: string }[] }>
    }
    const list = listProductsOptions as (gateway: object, options?: object) => Options
    const options = list(gateway, {
      select: ['Name'],
      paging: { pageNo: 1, pageSize: 3 },
    })
    const page = await client.fetchQuery(options)
    expect(page.items).toHaveLength(3)
    expect(signals[0]).toBeInstanceOf(AbortSignal)
    expect(options.queryKey.slice(0, 3)).toEqual(['gateway', projectKey, 'Product'])
    expect(list(gateway).queryKey).not.toEqual(options.queryKey)
    const one = (getProductOptions as (gateway: object, id: string) => Options)(
      gateway,
      page.items[0]!.ItemId,
    )
    expect(await client.fetchQuery(one)).toMatchObject(page.items[0]!)
    await expect(client.fetchQuery(list(gateway, { select: ['Nme'] }))).rejects.toThrow(/Nme/)
  })
})

interface Standard {
  readonly '~standard': {
    readonly version: number
    readonly validate: (value: unknown) => {
      readonly issues?: readonly { message: string; path: unknown[] }[]
      readonly value?: unknown
    }
  }
}

describe('validators', () => {
  const issues = async (value: unknown): Promise<readonly string[] | undefined> => {
    const { OrderInsertSchema } = await load({ validators: true })
    const result = (OrderInsertSchema as Standard)['~standard'].validate(value)
    return result.issues?.map(({ message, path: at }) => `${at.join('.')} ${message}`)
  }
  const address = { Recipient: 'A', Street: 'B', City: 'C', CountryCode: 'DE' }
  const line = { ProductId: 'p', Sku: 's', Quantity: 1, UnitPrice: 3.5 }
  const order = {
    Number: 1,
    CustomerId: 'c',
    Status: 'placed',
    PlacedAt: new Date(),
    Total: 3,
    Lines: [line],
    ShippingAddress: address,
  }

  test('accept and return valid inputs', async () => {
    expect(await issues(order)).toBeUndefined()
    expect(
      await issues({ ...order, PlacedAt: '2026-01-02T03:04:05Z', IsGift: null, Tags: ['a'] }),
    ).toBeUndefined()
  })

  test('work with a library for Standard Schemas, including types', async () => {
    const { OrderInsertSchema } = await load({ validators: true })
    const schema = expect.schemaMatching(OrderInsertSchema as StandardSchema<typeof order>)
    expect({ order }).toEqual({ order: schema })
    expect({ order: { ...order, Total: 'three' } }).not.toEqual({ order: schema })
  })

  test('report each issue with its path', async () => {
    const { Status: _, ...rest } = order
    const wrong = {
      ...rest,
      Number: 1.5,
      PlacedAt: 'yesterday',
      Lines: [line, { ...line, Quantity: 2 ** 40 }, 3],
      ShippingAddress: { ...address, City: null },
      TrackingNumbers: 'one',
      Colour: 'red',
    }
    expect(await issues(wrong)).toEqual([
      'Colour is not a field of this schema',
      'Number must be an integer',
      'Status is required',
      'PlacedAt must be an ISO 8601 date, with or without time',
      'Lines.1.Quantity must be a 32-bit integer',
      'Lines.2 must be an object',
      'ShippingAddress.City is required',
      'TrackingNumbers must be an array',
    ])
    expect(await issues(null)).toEqual([' must be an object'])
  })

  test('never throw', async () => {
    const { OrderInsertSchema } = await load({ validators: true })
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const result = (OrderInsertSchema as Standard)['~standard'].validate(value)
        expect('issues' in result || 'value' in result).toBe(true)
      }),
    )
  })
})

describe('factories', () => {
  type Make = (overrides?: object, seed?: number) => Readonly<Record<string, unknown>>

  test('create rows with every member, the same for a seed', async () => {
    const { makeOrder } = await load({ factories: true })
    const make = makeOrder as Make
    expect(make()).toEqual(make())
    expect(make({}, 2)).not.toEqual(make())
    expect(make({ Number: 7 })).toMatchObject({
      ItemId: '00000000-0000-4000-8000-000000000001',
      Number: 7,
      Status: 'Order Status 1',
      PlacedAt: '2026-01-01T00:01:00.000Z',
      Lines: [{ Quantity: 1 }],
      ShippingAddress: { City: 'Address City 1', Location: { type: 'Point' } },
      Tags: ['Order Tags 1'],
    })
  })

  test('create many, whose references are the ItemIds of records with the same seed', async () => {
    const { makeCategory, makeProduct } = await load({ factories: true })
    type Many = { many(count: number, overrides?: unknown, seed?: number): readonly object[] }
    const products = (makeProduct as unknown as Many).many(3, (index: number) => ({ Price: index }))
    const categories = (makeCategory as unknown as Many).many(2, { Name: 'Mugs' }, 2)
    expect(products).toMatchObject([{ Price: 0 }, { Price: 1 }, { Price: 2 }])
    expect(categories).toEqual([
      (makeCategory as Make)({ Name: 'Mugs' }, 2),
      (makeCategory as Make)({ Name: 'Mugs' }, 3),
    ])
    const [, second] = products as [unknown, { CategoryId: string }]
    expect(second.CategoryId).toBe((categories[0] as { ItemId: string }).ItemId)
  })

  test('create inputs that the validator accepts and the gateway inserts', async () => {
    const {
      makeOrderInsertInput,
      makeProductInsertInput,
      OrderInsertSchema,
      insertProduct,
      insertOrder,
      createGateway,
    } = await load({ factories: true, validators: true })
    const input = (makeOrderInsertInput as Make)()
    expect((OrderInsertSchema as Standard)['~standard'].validate(input)).toEqual({ value: input })
    const gateway = (createGateway as (options: object) => object)({
      baseUrl,
      projectKey,
      fetch: answer,
    })
    type Insert = (gateway: object, input: object) => Promise<unknown>
    expect(await (insertOrder as Insert)(gateway, input)).toMatchObject({ ok: true })
    const product = (makeProductInsertInput as Make)({ Sku: 'F-1' })
    expect(await (insertProduct as Insert)(gateway, product)).toMatchObject({ ok: true })
  })

  test('end for recursive schemas', async () => {
    const listing = [
      {
        schemaName: 'Node',
        schemaType: 2,
        fields: [
          { name: 'Next', type: 'Node' },
          { name: 'All', type: 'Node', isArray: true },
        ],
      },
    ]
    const modules = await loadModules(
      emitAll(buildModel(normaliseListing(listing)), { factories: true }),
    )
    const { makeNode } = modules.get('node.ts')!
    expect(JSON.stringify((makeNode as Make)()).length).toBeLessThan(1000)
  })
})
