import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPlatform, type Platform } from '@servicekit/platform'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { asAdministrator } from '@servicekit/testing/administrator'
import type { GatewayLabel, GatewayPickList, GatewayReference } from '../runtime/gateway-lookup.ts'
import type { Gateway, GatewayGet } from '../runtime/gateway.ts'
import { buildModel, emitAll, generate, normaliseListing } from '../src/index.ts'
import { loadModules } from './load-modules.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'
import { checkGenerated, runTsc } from '@servicekit/testing/tsc'

vi.setConfig({ testTimeout: 120_000 })

const project = fileURLToPath(new URL('../../../fixtures/projects/storefront', import.meta.url))
const relations = { 'Category.ParentId': 'Category' }
const mugs = 'c9c575ff-4ad0-54c7-9f0b-7c5c4b87737a'

interface Row {
  readonly ItemId: string
  readonly Name: string
}
interface Modules {
  readonly pickCategories: GatewayPickList<object, string>
  readonly pickProducts: GatewayPickList<object, string>
  readonly labelCategory: GatewayLabel
  readonly labelCustomer: GatewayLabel
  readonly loadProduct: GatewayGet<Row, 'Name'>
  readonly listProducts: (
    gateway: Gateway,
    options: object,
  ) => Promise<{ readonly ok: true; readonly data: { readonly items: readonly Row[] } }>
  readonly toOrderLabel: (row: object) => string
  readonly ProductReferences: { readonly CategoryId: GatewayReference<object, string> }
  readonly CategoryReferences: { readonly ParentId: GatewayReference<object, string> }
}

let platform: Platform
let modules: Modules
let gateway: Gateway
const sent: { readonly signal: AbortSignal | undefined; readonly variables: unknown }[] = []

beforeAll(async () => {
  platform = asAdministrator(await createPlatform({ projects: [project] }))
  const files = emitAll(buildModel(normaliseListing(storefront)), { lookups: true, relations })
  modules = (await loadModules(files, afterAll)).get('index.ts') as unknown as Modules
  gateway = {
    baseUrl: 'http://platform.test',
    projectKey: 'P5c1e7a90d2f84b6e8a3f9d41',
    fetch: (url, init) => {
      const { variables } = JSON.parse(String(init.body)) as { variables: unknown }
      sent.push({ signal: init.signal ?? undefined, variables })
      return platform.fetch(new Request(url, init))
    },
  }
})
afterAll(() => platform.close())

/** Runs calls and returns their results with the variables of the requests that they sent. */
async function counting<T>(run: () => Promise<T>) {
  sent.length = 0
  const result = await run()
  return { result, requests: sent.map(({ variables }) => variables) }
}

describe('a batched load', () => {
  test('reads many records in one request, and null for those that do not exist', async () => {
    const { data } = await modules.listProducts(gateway, { paging: { pageNo: 1, pageSize: 30 } })
    const ids = [...data.items.map(({ ItemId }) => ItemId), 'nobody']
    const { result, requests } = await counting(() =>
      Promise.all([...ids, ...ids].map((id) => modules.loadProduct({ ...gateway }, id))),
    )
    expect(requests).toHaveLength(1)
    expect(result.slice(0, 30)).toEqual(data.items.map((row) => ({ ok: true, data: row })))
    expect(result[30]).toEqual({ ok: true, data: null })
  })

  test('takes several requests beyond 100 records', async () => {
    const { data } = await modules.listProducts(gateway, { paging: { pageNo: 1, pageSize: 110 } })
    const ids = data.items.map(({ ItemId }) => ItemId)
    const { result, requests } = await counting(() =>
      Promise.all(ids.map((id) => modules.loadProduct(gateway, id, { select: ['Name'] }))),
    )
    expect(requests).toHaveLength(2)
    expect(result).toEqual(
      data.items.map(({ ItemId, Name }) => ({ ok: true, data: { ItemId, Name } })),
    )
  })

  test('reads the next page where an instance returns fewer records than requested', async () => {
    const pages: unknown[] = []
    const small: Gateway = {
      ...gateway,
      fetch: async (_, init) => {
        const { variables } = JSON.parse(String(init.body)) as {
          variables: { where: { ItemId: { in: string[] } }; paging: { pageNo: number } }
        }
        const { pageNo } = variables.paging
        pages.push(pageNo)
        const items = [{ ItemId: variables.where.ItemId.in[pageNo - 1] }]
        return Response.json({ data: { Products: { items, hasNextPage: pageNo < 3 } } })
      },
    }
    const ids = ['a', 'b', 'c']
    const found = await Promise.all(ids.map((id) => modules.loadProduct(small, id)))
    expect(found).toEqual(ids.map((ItemId) => ({ ok: true, data: { ItemId } })))
    expect(pages).toEqual([1, 2, 3])
  })

  test('separates gateways and selections, and fails all calls of a failed request', async () => {
    const other = { ...gateway, projectKey: 'unknown' }
    const { result, requests } = await counting(() =>
      Promise.all([
        modules.loadProduct(gateway, mugs),
        modules.loadProduct(gateway, mugs, { select: ['Name'] }),
        modules.loadProduct(other, mugs),
        modules.loadProduct(other, 'nobody'),
      ]),
    )
    expect(requests).toHaveLength(3)
    expect(result.map(({ ok }) => ok)).toEqual([true, true, false, false])
    expect(await modules.loadProduct(gateway, undefined as never)).toMatchObject({
      ok: false,
      errors: [{ message: 'The ItemId is undefined' }],
    })
  })

  test('aborts its request when all calls are aborted', async () => {
    const [first, second] = [new AbortController(), new AbortController()]
    const call = ({ signal }: AbortController) => modules.loadProduct({ ...gateway, signal }, mugs)
    sent.length = 0
    const waiting = [call(first), call(second)]
    first.abort()
    await vi.waitUntil(() => sent.length === 1, 20_000)
    const [{ signal }] = sent as [(typeof sent)[number]]
    expect(signal?.aborted).toBe(false)
    second.abort()
    expect(signal?.aborted).toBe(true)
    await Promise.all(waiting)
  })

  test('keeps the time limit of a call without a signal', async () => {
    const { signal } = new AbortController()
    await Promise.all([
      modules.loadProduct({ ...gateway, signal }, mugs),
      modules.loadProduct(gateway, mugs),
    ])
    const last = sent.at(-1)?.signal
    expect(last).toBeInstanceOf(AbortSignal)
    expect(last).not.toBe(signal)
  })
})

describe('labels', () => {
  test('of many records share a request, and null has none', async () => {
    const { result, requests } = await counting(() =>
      Promise.all([mugs, null, mugs, '', 'nobody'].map((id) => modules.labelCategory(gateway, id))),
    )
    const label = { ok: true, data: 'Mugs and cups' }
    const none = { ok: true, data: null }
    expect(result).toEqual([label, none, label, none, none])
    expect(requests).toHaveLength(1)
  })

  test('consist of the fields that name a record', async () => {
    expect(modules.toOrderLabel({ ItemId: '1', Number: 20250500001 })).toBe('20250500001')
    expect(modules.toOrderLabel({ ItemId: '1', Number: null })).toBe('1')
    const { result } = await counting(() =>
      modules.labelCustomer(gateway, '174b246a-a625-5f62-9564-43fd85e3b12d'),
    )
    expect(result).toEqual({ ok: true, data: 'Farhana Islam' })
  })

  test('can be configured, with existing names', async () => {
    const emit = (lookups: Record<string, string[]>) =>
      emitAll(buildModel(normaliseListing(storefront)), { lookups })
    const customer = emit({ Customer: ['Email'] }).find(({ name }) => name === 'customer.ts')
    expect(customer?.text).toContain("(row: Pick<Customer, 'ItemId' | 'Email'>) => string")
    expect(() => emit({ Customer: ['EMail'] })).toThrow(
      'Unknown field "EMail". Did you mean "Email"?',
    )
    expect(() => emit({ Custommer: ['Email'] })).toThrow('Unknown schema "Custommer"')
    expect(() => emit({ Customer: [] })).toThrow('Customer has no fields')
  })
})

describe('a pick list', () => {
  test('has pages in the order of labels, and resolves the current value', async () => {
    const { result, requests } = await counting(() =>
      modules.pickCategories(gateway, { value: mugs, pageSize: 3 }),
    )
    if (!result.ok) throw new Error(result.errors[0]?.message)
    const { options, choices, selected, hasNextPage, pageNo, totalCount } = result.data
    expect(options.map(({ label }) => label)).toEqual(
      options.map(({ label }) => label).toSorted((a, b) => (a < b ? -1 : 1)),
    )
    expect(options).toHaveLength(3)
    expect([pageNo, hasNextPage]).toEqual([1, true])
    expect(totalCount).toBeGreaterThan(3)
    expect(selected).toEqual([{ value: mugs, label: 'Mugs and cups' }])
    expect(choices).toEqual([...selected, ...options])
    const all = await modules.pickCategories(gateway, { value: mugs })
    expect(all.ok && all.data.choices).toEqual(all.ok && all.data.options)
    expect(requests).toHaveLength(2)
    const second = await modules.pickCategories(gateway, { pageNo: 2, pageSize: 3 })
    expect(second.ok && second.data.options[0]!.value).not.toBe(options[0]!.value)
  })

  test('finds text as people type it, within further conditions', async () => {
    const labels = async (search: string, where = {}) => {
      const found = await modules.pickProducts(gateway, { search, where, pageSize: 100 })
      return found.ok ? found.data.options.map(({ label }) => label) : found.errors
    }
    const found = await labels('mug')
    expect(found).toContain('Harbour Mug')
    expect(await labels('MUG')).toEqual(found)
    expect((await labels('mug', { Price: { lt: 24 } })).length).toBeLessThan(found.length)
    expect(await labels('no such product')).toEqual([])
  })

  test('marks a current value that does not exist', async () => {
    const { result } = await counting(() =>
      modules.pickCategories(gateway, { value: ['gone', mugs, ''] }),
    )
    expect(result.ok && result.data.selected).toEqual([
      { value: 'gone', label: 'gone', isMissing: true },
      { value: mugs, label: 'Mugs and cups' },
    ])
  })

  test('fails for an undefined condition, and for a refused one', async () => {
    const undefinedWhere = modules.pickCategories(gateway, { where: undefined as never })
    expect(await undefinedWhere).toMatchObject({ ok: false })
    const refused = modules.pickCategories(gateway, { pageSize: 100_000 })
    expect(await refused).toMatchObject({
      ok: false,
      errors: [{ extensions: { code: 'VALIDATION_ERROR' } }],
    })
  })

  test('of a field is that of the schema to which it refers', () => {
    expect(modules.ProductReferences.CategoryId.pick).toBe(modules.pickCategories)
    expect(modules.CategoryReferences.ParentId.label).toBe(modules.labelCategory)
  })
})

test('lookups are typed, and cost nothing where they are not imported', async () => {
  const folder = temporaryFolder()
  for (const [name, output] of [
    ['ts', 'ts'],
    ['js', 'js'],
  ] as const) {
    await generate({ listing: storefront, outDir: join(folder, name), lookups: true, output })
  }
  await generate({ listing: storefront, outDir: join(folder, 'without') })
  await generate({
    listing: storefront,
    outDir: join(folder, 'query'),
    lookups: true,
    queryOptions: true,
  })
  writeFileSync(
    join(folder, 'use-query.ts'),
    `import { QueryClient } from '@tanstack/query-core'
import { createGateway } from './query/gateway.js'
import { pickCategoriesOptions } from './query/category.js'
import { loadProductOptions, ProductReferences } from './query/product.js'
const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
const client = new QueryClient()
export async function use(): Promise<unknown> {
  const { choices } = await client.fetchQuery(pickCategoriesOptions(gateway, { search: 'm', value: null }))
  const label: string | null = await client.fetchQuery(ProductReferences.CategoryId.labelOptions(gateway, choices[0]?.value))
  const product = await client.fetchQuery(loadProductOptions(gateway, '1', { select: ['Name'] }))
  // @ts-expect-error an unknown field
  void ProductReferences.CategoryId.pickOptions(gateway, { where: { Title: { eq: 'x' } } })
  return [label, product?.Name]
}
`,
  )
  const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))
  symlinkSync(modules, join(folder, 'node_modules'))
  const use = (name: string): string => `import { createGateway } from './${name}/gateway.js'
import { CustomerReferences, pickCustomers, toCustomerLabel } from './${name}/customer.js'
import { loadProduct } from './${name}/product.js'
const gateway = createGateway({ baseUrl: 'https://api.example.com', projectKey: 'P1' })
export async function use(): Promise<unknown> {
  const picked = await pickCustomers(gateway, { where: { LastName: { eq: 'x' } }, order: [{ field: 'Email' }] })
  // @ts-expect-error an unknown field
  void pickCustomers(gateway, { where: { Surname: { eq: 'x' } } })
  // @ts-expect-error a label needs its fields
  void toCustomerLabel({ ItemId: '1', FirstName: 'Ada' })
  const product = await loadProduct(gateway, '1', { select: ['Name'] })
  // @ts-expect-error a field that was not selected
  void (product.ok && product.data?.Price)
  return [picked.ok && picked.data.selected[0]?.isMissing, CustomerReferences.FavouriteProductIds.label]
}
`
  for (const name of ['ts', 'js']) writeFileSync(join(folder, `use-${name}.ts`), use(name))
  const lib = ['es2023', 'dom', 'esnext.disposable']
  const files = ['use-ts.ts', 'use-js.ts', 'use-query.ts', 'ts/*.ts', 'query/*.ts']
  checkGenerated(folder)
  expect(runTsc(folder, files, { lib }).errors).toEqual([])

  const bundle = async (name: string): Promise<number> => {
    const input = join(folder, `${name}.ts`)
    writeFileSync(input, `export { listProducts } from './${name}/index.js'\n`)
    const built = await rolldown({ input, resolve: { extensionAlias: { '.js': ['.ts'] } } })
    const { output } = await built.generate({ minify: true })
    await built.close()
    return output[0].code.length
  }
  expect(await bundle('ts')).toBe(await bundle('without'))
})
