import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { generate } from '../src/index.ts'
import { storefront } from './storefront.ts'
import { temporaryFolder } from './temporary.ts'
import { bundler, checkGenerated, runTsc } from '@servicekit/testing/tsc'

vi.setConfig({ testTimeout: 120_000 })

const head = `import type { Gateway } from './gateway/gateway.js'
import {
  countProductsOptions, deleteProductOptions, getProductOptions, insertProductOptions,
  listProductsInfiniteOptions, listProductsOptions, type ProductField, updateManyProductOptions,
  updateProductOptions,
} from './gateway/product.js'
import { getOrderNestedOptions, listOrdersNestedInfiniteOptions, listOrdersNestedOptions } from './gateway/order.js'
import { itemsOf, optimistic, toSwr, toSwrInfinite, toSwrMutation } from './gateway/gateway-query.js'
declare const gateway: Gateway
declare const id: string
type Row = { readonly ItemId: string; readonly Name: string | null }
type Names = readonly Row[] | undefined
const options = listProductsOptions(gateway, { select: ['Name'], where: { Price: { gt: 5 } } })
const pages = listProductsInfiniteOptions(gateway, { select: ['Name'], pageSize: 5 })
// @ts-expect-error a field that there is not
void listProductsOptions(gateway, { select: ['Nme'] })
declare const fields: ProductField[]
export async function dynamic(): Promise<string | null | undefined> {
  const { items } = await listProductsOptions(gateway, { select: fields }).queryFn({})
  // @ts-expect-error a field that may not be selected
  const name: string | null = items[0]!.Name
  return items[0]?.ItemId ?? name
}
// @ts-expect-error the number of a page is not an option of a walk
void listProductsInfiniteOptions(gateway, { paging: { pageNo: 1, pageSize: 5 } })
`

/** Checks of a client, which every package of TanStack Query exports. */
const client = `
declare const client: QueryClient
export function keys(): void {
  const list = client.getQueryData(options.queryKey)
  const names: Names = list?.items
  // @ts-expect-error a field that was not selected
  void list?.items[0]?.Price
  const count: number | undefined = client.getQueryData(countProductsOptions(gateway).queryKey)
  const one: string | null | undefined = client.getQueryData(getProductOptions(gateway, id).queryKey)?.Name
  const walked: Names = client.getQueryData(pages.queryKey)?.pages[0]?.items
  client.setQueryData(options.queryKey, (page) => page && { ...page, items: [] })
  // @ts-expect-error a list is no number
  client.setQueryData(options.queryKey, 5)
  void [names, count, one, walked]
}
export async function server(): Promise<void> {
  await client.prefetchQuery(options)
  await client.prefetchInfiniteQuery(pages)
  const first: Row | undefined = (await client.fetchQuery(options)).items[0]
  const sku: string | null | undefined = (await client.fetchQuery(
    listOrdersNestedOptions(gateway, { select: { Lines: { Sku: true } } }),
  )).items[0]?.Lines?.[0]?.Sku
  const total: number | null | undefined = (await client.fetchQuery(
    getOrderNestedOptions(gateway, id, { select: { Total: true } }),
  ))?.Total
  void [first, sku, total]
}
`

const mutations = (wrap: (options: string) => string): string => `
  const insert = useMutation(${wrap('insertProductOptions(gateway)')})
  insert.mutate({ Name: 'Cup', Price: 1, Sku: 'C-1' })
  // @ts-expect-error Sku is required
  insert.mutate({ Name: 'Cup', Price: 1 })
  const update = useMutation(${wrap('optimistic(updateProductOptions(gateway))')})
  update.mutate({ where: id, input: { Price: 2 } })
  // @ts-expect-error an empty condition
  update.mutate({ where: {}, input: { Price: 2 } })
  const many = useMutation(${wrap('updateManyProductOptions(gateway)')})
  many.mutate({ where: { ItemId: { in: [id] } }, input: { Price: 2 } })
  const remove = useMutation(${wrap('optimistic(deleteProductOptions(gateway))')})
  remove.mutate({ where: id, input: { isHardDelete: false } })
  // @ts-expect-error the kind of the delete is missing
  remove.mutate({ where: id, input: {} })
`

const programs = {
  react: `
import { type QueryClient, useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
${client}
export function useAll(): void {
  const names: Names = useQuery(options).data?.items
  const sure: readonly Row[] = useSuspenseQuery(options).data.items
  const walked: Names = itemsOf(useInfiniteQuery(pages).data?.pages)
  const picked: number | undefined = useQuery({ ...options, select: ({ totalCount }) => totalCount }).data
  // @ts-expect-error a field that was not selected
  void useQuery(options).data?.items[0]?.Price
  ${mutations((one) => one)}
  const own = useMutation({ ...insertProductOptions(gateway), onSuccess: ({ itemId }) => void itemId?.length })
  void [names, sure, walked, picked, own]
}`,
  vue: `
import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/vue-query'
import { computed, ref } from 'vue'
${client}
export function useAll(): void {
  const names: Names = useQuery(options).data.value?.items
  const page = ref(1)
  const reactive: Names = useQuery(
    computed(() => listProductsOptions(gateway, { select: ['Name'], paging: { pageNo: page.value, pageSize: 5 } })),
  ).data.value?.items
  const walked: Names = itemsOf(useInfiniteQuery(pages).data.value?.pages)
  // @ts-expect-error a field that was not selected
  void useQuery(options).data.value?.items[0]?.Price
  ${mutations((one) => one)}
  void [names, reactive, walked]
}`,
  svelte: `
import { createInfiniteQuery, createMutation as useMutation, createQuery, type QueryClient } from '@tanstack/svelte-query'
${client}
export function useAll(): void {
  const names: Names = createQuery(() => options).data?.items
  const walked: Names = itemsOf(createInfiniteQuery(() => pages).data?.pages)
  // @ts-expect-error a field that was not selected
  void createQuery(() => options).data?.items[0]?.Price
  ${mutations((one) => `() => ${one}`)}
  void [names, walked]
}`,
  solid: `
import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/solid-query'
${client}
export function useAll(): void {
  const names: Names = useQuery(() => options).data?.items
  const walked: Names = itemsOf(useInfiniteQuery(() => pages).data?.pages)
  // @ts-expect-error a field that was not selected
  void useQuery(() => options).data?.items[0]?.Price
  ${mutations((one) => `() => ${one}`)}
  void [names, walked]
}`,
  swr: `
import useSWR, { useSWRConfig } from 'swr'
import useSWRInfinite from 'swr/infinite'
import useSWRMutation from 'swr/mutation'
export function useAll(): void {
  const names: Names = useSWR(...toSwr(options)).data?.items
  const walked: Names = itemsOf(useSWRInfinite(...toSwrInfinite(pages)).data)
  // @ts-expect-error a field that was not selected
  void useSWR(...toSwr(options)).data?.items[0]?.Price
  const { mutate } = useSWRConfig()
  const update = useSWRMutation(...toSwrMutation(updateProductOptions(gateway), mutate))
  void update.trigger({ where: id, input: { Price: 2 } })
  // @ts-expect-error an empty condition
  void update.trigger({ where: {}, input: { Price: 2 } })
  void [names, walked]
}`,
}

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const packages = {
  react: '@tanstack/react-query',
  vue: '@tanstack/vue-query',
  svelte: '@tanstack/svelte-query',
  solid: '@tanstack/solid-query',
  swr: true,
} as const

test('query options, keys and mutations are typed with every library', async () => {
  const folder = temporaryFolder()
  symlinkSync(path('../../../node_modules'), join(folder, 'node_modules'))
  const names = Object.keys(programs) as (keyof typeof programs)[]
  for (const name of names) {
    const outDir = join(folder, name, 'gateway')
    await generate({ listing: storefront, outDir, queryOptions: packages[name] })
    writeFileSync(join(folder, name, 'use.ts'), head + programs[name])
  }
  checkGenerated(folder)
  // Each program uses another part of the functions.
  const lib = ['es2023', 'dom', 'esnext.disposable']
  const options = { ...bundler, lib, noUnusedLocals: false }
  const files = names.map((name) => `${name}/use.ts`)
  expect(runTsc(folder, files, options).errors).toEqual([])
})
