import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createPlatform, type Platform } from '@servicekit/platform'
import type * as core from '@tanstack/query-core'
import { hashKey, QueryClient, QueryObserver } from '@tanstack/query-core'
import { build, transformSync, type Plugin } from 'esbuild'
import { Window } from 'happy-dom'
import { readFileSync } from 'node:fs'
import { compile, compileModule } from 'svelte/compiler'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import { buildModel, emitAll, normaliseListing } from '../src/index.ts'
import { loadModules } from '../test/load-modules.ts'
import type { Mount, Mounted, Page } from '../test/query/mount.ts'
import { storefront } from '../test/storefront.ts'
import { temporaryFolder } from '../test/temporary.ts'
import type { Gateway } from './gateway.ts'
import type { GatewayQueryOptions } from './gateway-query.ts'

/** Waits for a state, also on a busy machine. */
const waitFor = (check: () => void): Promise<void> => vi.waitFor(check, 20_000)

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const projectKey = 'P5c1e7a90d2f84b6e8a3f9d41'
let platform: Platform
/** Exports of all generated modules; the types have tests of their own. */
let generated: Record<string, (...args: readonly unknown[]) => never>

beforeAll(async () => {
  platform = asAdministrator(
    await createPlatform({ projects: [path('../../../fixtures/projects/storefront')] }),
  )
  const files = emitAll(buildModel(normaliseListing(storefront)), { queryOptions: true })
  generated = (await loadModules(files, afterAll)).get('index.ts') as typeof generated
  // React and TanStack Query look for these when they are loaded.
  const window = new Window()
  const { document, navigator } = window
  for (const [name, value] of Object.entries({ window, document, navigator }))
    Object.defineProperty(globalThis, name, { value, configurable: true })
})
afterAll(() => platform.close())

/** A gateway that records the operations which it sends, and waits for `release` before each change. */
function recording(): { gateway: Gateway; sent: string[]; release: (isRefused?: boolean) => void } {
  const sent: string[] = []
  const waiting: ((isRefused?: boolean) => void)[] = []
  const fetch: Gateway['fetch'] = async (url, init) => {
    const { query } = JSON.parse(String(init.body)) as { query: string }
    const [, operation = ''] = /\{(\w+)\(/.exec(query) ?? []
    sent.push(operation)
    if (query.startsWith('mutation')) {
      const isRefused = await new Promise<boolean | undefined>((resolve) => waiting.push(resolve))
      if (isRefused) return Response.json({ errors: [{ message: 'No' }], data: null })
    }
    return platform.fetch(new Request(url, init))
  }
  const gateway = { baseUrl: 'http://platform.test', projectKey, fetch }
  return { gateway, sent, release: (isRefused) => waiting.shift()?.(isRefused) }
}

interface Library {
  /** Key of the cache of SWR. */
  readonly serialize: (key: readonly unknown[]) => string
  readonly mount: Mount
  readonly QueryClient: typeof core.QueryClient
  readonly dehydrate: typeof core.dehydrate
  readonly hydrate: typeof core.hydrate
}

/** Compiles components and runes, as the plugin of Svelte does. */
const runes: Plugin = {
  name: 'runes',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, ({ path: filename }) => ({
      contents: compile(readFileSync(filename, 'utf8'), { filename, generate: 'client' }).js.code,
    }))
    onLoad({ filter: /\.svelte\.[jt]s$/ }, ({ path: filename }) => {
      const { code } = transformSync(readFileSync(filename, 'utf8'), { loader: 'ts' })
      return { contents: compileModule(code, { filename, generate: 'client' }).js.code }
    })
  },
}

/** Bundles hooks as for a browser, since Solid and Svelte have other code for servers. */
async function load(file: string): Promise<Library> {
  const outfile = join(temporaryFolder(afterAll), 'hooks.mjs')
  await build({
    entryPoints: [path(`../test/query/${file}`)],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['svelte', 'browser', 'development'],
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [runes],
    outfile,
    logLevel: 'error',
  })
  return (await import(pathToFileURL(outfile).href)) as Library
}

describe.each([
  ['React', 'react.ts'],
  ['Vue', 'vue.ts'],
  ['Solid', 'solid.ts'],
  ['Svelte', 'svelte.svelte.ts'],
])('with TanStack Query for %s,', (_, file) => {
  let library: Library
  beforeAll(async () => {
    library = await load(file)
  })

  const select = ['Price'] as const
  const order = [{ field: 'ItemId' }] as const
  /** Hooks for products, orders, one product and their number. */
  async function open(change: (gateway: Gateway) => never, given = recording()) {
    const { gateway, sent } = given
    const [first] = (
      (await generated['listProducts']!(gateway, { select, order })) as { data: Page }
    ).data.items
    const client = new library.QueryClient({
      defaultOptions: { queries: { retry: false, staleTime: Infinity } },
    })
    const queries = [
      generated['listProductsOptions']!(gateway, { select, order }),
      generated['getProductOptions']!(gateway, first!.ItemId, { select }),
      generated['countProductsOptions']!(gateway),
      generated['listOrdersOptions']!(gateway, { select: ['Number'] }),
    ]
    const pages = generated['listProductsInfiniteOptions']!(gateway, { select, pageSize: 5 })
    const mounted = library.mount(client, { queries, pages, mutation: change(gateway) })
    onTestFinished(() => {
      mounted.unmount()
      client.clear()
    })
    await waitFor(() => {
      expect([...mounted.data(), mounted.pages()]).not.toContain(undefined)
    })
    sent.length = 0
    return { ...given, client, mounted, id: first!.ItemId, price: first!.Price! }
  }
  /** Price of the first product in the list, in the walk and on its own page. */
  const prices = ({ data, pages }: Mounted) => [
    (data()[0] as Page).items[0]?.Price,
    pages()?.[0]?.items.find(({ ItemId }) => ItemId === (data()[0] as Page).items[0]?.ItemId)
      ?.Price,
    (data()[1] as Page['items'][0] | null)?.Price,
  ]

  test('a change refetches the queries of its schema, and no others', async () => {
    const { mounted, sent, release, id, price } = await open(generated['updateProductOptions']!)
    const Price = price + 1
    const changed = mounted.mutate({ where: id, input: { Price } })
    await waitFor(() => expect(sent).toEqual(['updateProduct']))
    expect(prices(mounted)).not.toContain(Price)
    release()
    await changed
    expect(sent.slice(1)).toEqual(['Products', 'Products', 'Products', 'Products'])
    await waitFor(() => expect(prices(mounted)).toEqual([Price, Price, Price]))
  })

  test('an optimistic update shows at once, and rolls back if it is refused', async () => {
    const options = (gateway: Gateway) =>
      generated['optimistic']!(generated['updateProductOptions']!(gateway))
    const { mounted, sent, release, id } = await open(options)
    const before = prices(mounted)
    const refused = mounted.mutate({ where: id, input: { Price: 82, Name: 'Not selected' } })
    await waitFor(() => expect(prices(mounted)).toEqual([82, 82, 82]))
    expect(mounted.data()[1]).toEqual({ ItemId: id, Price: 82 })
    await waitFor(() => expect(sent).toEqual(['updateProduct']))
    release(true)
    await expect(refused).rejects.toThrow('No')
    expect(sent.slice(1)).not.toContain('Orders')
    await waitFor(() => expect(prices(mounted)).toEqual(before))
    // The list is the service's, not only that of the snapshot.
    await waitFor(() => expect(sent.filter((one) => one === 'Products')).toHaveLength(4))
  })

  test('an optimistic delete removes the rows at once', async () => {
    const options = (gateway: Gateway) =>
      generated['optimistic']!(generated['deleteManyProductOptions']!(gateway))
    const { mounted, sent, release, id } = await open(options)
    const before = (mounted.data()[0] as Page).totalCount
    const where = { ItemId: { in: [id] } }
    const refused = mounted.mutate({ where, input: { isHardDelete: true } })
    await waitFor(() => expect((mounted.data()[0] as Page).totalCount).toBe(before - 1))
    expect((mounted.data()[0] as Page).items.map(({ ItemId }) => ItemId)).not.toContain(id)
    await waitFor(() => expect(mounted.data()[1]).toBeNull())
    await waitFor(() => expect(sent).toEqual(['deleteManyProduct']))
    release(true)
    await expect(refused).rejects.toThrow('No')
    await waitFor(() => expect((mounted.data()[0] as Page).totalCount).toBe(before))
  })

  test('a walk over pages returns every record once', async () => {
    const { mounted } = await open(generated['insertProductOptions']!)
    const total = mounted.pages()![0]!.totalCount
    const last = Math.ceil(total / 5)
    expect(last).toBeGreaterThan(2)
    for (let count = 2; count <= last; count++) {
      await mounted.fetchNextPage()
      await waitFor(() => expect(mounted.pages()).toHaveLength(count))
    }
    const ids = mounted.pages()!.flatMap(({ items }) => items.map(({ ItemId }) => ItemId))
    expect(ids).toHaveLength(total)
    expect(new Set(ids).size).toBe(total)
    expect(generated['itemsOf']!([...mounted.pages()!, mounted.pages()![0]])).toHaveLength(total)
    await mounted.fetchNextPage()
    expect(mounted.pages()).toHaveLength(last)
  })

  test('a page that a server has filled sends no request', async () => {
    const { gateway } = recording()
    const server = new library.QueryClient()
    const options = generated['listProductsOptions']!(gateway, { where: { Price: { gt: 5 } } })
    const pages = generated['listProductsInfiniteOptions']!(gateway)
    await server.prefetchQuery(options)
    await server.prefetchInfiniteQuery(pages)
    const state = JSON.stringify(library.dehydrate(server))

    const browser = recording()
    const client = new library.QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
    library.hydrate(client, JSON.parse(state))
    const mounted = library.mount(client, {
      queries: [
        generated['listProductsOptions']!(browser.gateway, { where: { Price: { gt: 5 } } }),
      ],
      pages: generated['listProductsInfiniteOptions']!(browser.gateway),
      mutation: generated['insertProductOptions']!(browser.gateway),
    })
    onTestFinished(() => {
      mounted.unmount()
      client.clear()
      server.clear()
    })
    await waitFor(() => expect(mounted.data()[0]).toHaveProperty('items'))
    expect(mounted.pages()).toHaveLength(1)
    expect(browser.sent).toEqual([])
  })
})

describe('query options', () => {
  test('have a key of their own for an undefined condition, whose query fails', async () => {
    const { gateway, sent } = recording()
    const keyOf = (options?: object): string =>
      hashKey(
        (generated['listProductsOptions']!(gateway, options) as GatewayQueryOptions<Page>).queryKey,
      )
    expect(keyOf({})).toBe(keyOf())
    expect(keyOf({ select: undefined })).toBe(keyOf())
    expect(keyOf({ where: undefined })).not.toBe(keyOf())
    const lost = { where: { Name: { eq: undefined } } }
    expect(keyOf(lost)).not.toBe(keyOf({ where: { Name: {} } }))
    const { queryFn }: GatewayQueryOptions<Page> = generated['listProductsOptions']!(gateway, lost)
    await expect(queryFn({})).rejects.toThrow('where.Name.eq is undefined')
    expect(sent).toEqual([])
  })

  test('of two optimistic updates refresh the queries after the last one', async () => {
    const { gateway, sent, release } = recording()
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
    onTestFinished(() => client.clear())
    const list: GatewayQueryOptions<Page> = generated['listProductsOptions']!(gateway)
    const observer = new QueryObserver(client, list as never)
    onTestFinished(observer.subscribe(() => undefined))
    await waitFor(() => expect(observer.getCurrentResult().data).toBeDefined())
    const ids = (observer.getCurrentResult().data as Page).items.map(({ ItemId }) => ItemId)
    sent.length = 0
    const options: never = generated['optimistic']!(generated['updateProductOptions']!(gateway))
    const change = (where: string): Promise<unknown> =>
      client
        .getMutationCache()
        .build(client, options)
        .execute({ where, input: { Stock: 99 } } as never)
    const first = change(ids[0]!)
    await waitFor(() => expect(sent).toHaveLength(1))
    const second = change(ids[1]!)
    await waitFor(() => expect(sent).toHaveLength(2))
    const stocks = () => (client.getQueryData(list.queryKey) as Page).items.map((row) => row.Stock)
    expect(stocks().slice(0, 2)).toEqual([99, 99])
    release()
    await first
    // Otherwise the second row would show its previous stock for a while.
    expect(sent).toEqual(['updateProduct', 'updateProduct'])
    release()
    await second
    expect(sent).toEqual(['updateProduct', 'updateProduct', 'Products'])
    await waitFor(() => expect(client.isFetching()).toBe(0))
    expect(stocks().slice(0, 2)).toEqual([99, 99])
  })
})

describe('with SWR,', () => {
  let library: Library
  beforeAll(async () => {
    library = await load('swr.ts')
  })

  function open({ gateway }: { readonly gateway: Gateway }, fallback: object = {}): Mounted {
    const mounted = library.mount(fallback, {
      queries: [
        generated['listProductsOptions']!(gateway),
        generated['listOrdersOptions']!(gateway, { select: ['Number'] }),
      ],
      pages: generated['listCustomersInfiniteOptions']!(gateway, { pageSize: 3 }),
      mutation: generated['updateManyProductOptions']!(gateway),
    })
    onTestFinished(mounted.unmount)
    return mounted
  }

  test('a change refetches the queries of its schema, and no others', async () => {
    const { sent, release, ...given } = recording()
    const mounted = open(given)
    await waitFor(() => expect([...mounted.data(), mounted.pages()]).not.toContain(undefined))
    expect([...sent].sort()).toEqual(['Customers', 'Orders', 'Products'])
    sent.length = 0
    const changed = mounted.mutate({ where: { Price: { gt: 0 } }, input: { Stock: 41 } })
    await waitFor(() => expect(sent).toEqual(['updateManyProduct']))
    release()
    await changed
    expect(sent).toEqual(['updateManyProduct', 'Products'])
    const stocks = () => (mounted.data()[0] as Page).items.map(({ Stock }) => Stock)
    await waitFor(() => expect(new Set(stocks())).toEqual(new Set([41])))
    const refused = mounted.mutate({ where: { Price: { gt: 0 } }, input: { Stock: 42 } })
    await waitFor(() => expect(sent).toHaveLength(3))
    release(true)
    await expect(refused).rejects.toThrow('No')
  })

  test('a walk over pages returns every record once', async () => {
    const mounted = open(recording())
    await waitFor(() => expect(mounted.pages()).toHaveLength(1))
    const total = mounted.pages()![0]!.totalCount
    const last = Math.ceil(total / 3)
    expect(last).toBeGreaterThan(2)
    for (let count = 2; count <= last; count++) {
      await mounted.fetchNextPage()
      await waitFor(() => expect(mounted.pages()).toHaveLength(count))
    }
    const ids = mounted.pages()!.flatMap(({ items }) => items.map(({ ItemId }) => ItemId))
    expect(ids).toHaveLength(total)
    expect(new Set(ids).size).toBe(total)
    await mounted.fetchNextPage()
    expect(mounted.pages()).toHaveLength(last)
  })

  test('a page that a server has filled sends no request for it', async () => {
    const { gateway } = recording()
    const { queryKey, queryFn }: GatewayQueryOptions<Page> =
      generated['listProductsOptions']!(gateway)
    const fallback = { [library.serialize(queryKey)]: await queryFn({}) }
    const browser = recording()
    const mounted = open(browser, JSON.parse(JSON.stringify(fallback)))
    await waitFor(() => expect(mounted.data()[1]).toBeDefined())
    expect((mounted.data()[0] as Page).items).toHaveLength(10)
    expect(browser.sent).not.toContain('Products')
  })
})
