import { longType } from './gateway-longs.js'
import { orThrow, withSignals } from './gateway.js'
import type { Gateway, GatewayPage, GatewayPaging, GatewayPick, GatewaySort } from './gateway.js'

/** Key of a query whose data has the type T. The option `queryOptions` selects its form. */
export type GatewayQueryKey<T> = readonly unknown[] & { readonly '~data'?: T }

/** Options of `useQuery`, `prefetchQuery` and similar functions of TanStack Query. */
export interface GatewayQueryOptions<T> {
  /** `['gateway', projectKey, schema, 'list', …]` */
  readonly queryKey: GatewayQueryKey<T>
  readonly queryFn: (context: { readonly signal?: AbortSignal | undefined }) => Promise<T>
}

/** Options of `useInfiniteQuery` and similar functions of TanStack Query. */
export interface GatewayInfiniteOptions<T> {
  readonly queryKey: GatewayQueryKey<{ pages: T[]; pageParams: number[] }>
  readonly queryFn: (context: {
    readonly signal?: AbortSignal | undefined
    readonly pageParam: number
  }) => Promise<T>
  readonly initialPageParam: number
  readonly getNextPageParam: (page: T) => number | undefined
  readonly getPreviousPageParam: (page: T) => number | undefined
}

/** Options of `useMutation`. `onSettled` marks all queries of the schema as stale. */
export interface GatewayMutationOptions<T, V> {
  /** `['gateway', projectKey, schema, 'update']` */
  readonly mutationKey: readonly unknown[]
  readonly mutationFn: (variables: V) => Promise<T>
  readonly onSettled: (
    data: T | undefined,
    error: Error | null,
    variables: V,
    onMutateResult: unknown,
    context: GatewayMutationContext,
  ) => Promise<void>
}

/** Mutation options that change the cache before the service responds. See {@link optimistic}. */
export interface GatewayOptimisticOptions<T, V> extends GatewayMutationOptions<T, V> {
  readonly onMutate: (variables: V, context: GatewayMutationContext) => Promise<GatewaySnapshot>
  readonly onError: (
    error: Error,
    variables: V,
    snapshot: GatewaySnapshot | undefined,
    context: GatewayMutationContext,
  ) => void
}

/** Keys and data of queries before an optimistic update. */
export type GatewaySnapshot = readonly (readonly [key: readonly unknown[], data: unknown])[]

/** Context that TanStack Query passes to mutations from version 5.89 on. */
export interface GatewayMutationContext {
  readonly client: {
    invalidateQueries(filters: { queryKey: readonly unknown[] }): Promise<void>
    cancelQueries(filters: { queryKey: readonly unknown[] }): Promise<void>
    getQueriesData(filters: { queryKey: readonly unknown[] }): readonly any[]
    setQueryData(key: readonly unknown[], data: any): unknown
    isMutating(filters: { mutationKey: readonly unknown[] }): number
  }
}

export type GatewayListQueryOptions<R, W, A, D extends A = A> = <
  const S extends readonly A[] = readonly [D],
>(
  gateway: Gateway,
  options?: {
    readonly select?: S | undefined
    readonly where?: W
    readonly order?: readonly GatewaySort<A>[]
    readonly paging?: GatewayPaging
  },
) => GatewayQueryOptions<GatewayPage<GatewayPick<R, (S[number] | 'ItemId') & keyof R, S['length']>>>

/** Page walk with a fixed page size. */
export interface GatewayInfiniteListOptions<W, A> {
  readonly where?: W
  /** ItemId is always the last criterion. */
  readonly order?: readonly GatewaySort<A>[] | undefined
  /** Rows per request, 100 by default. */
  readonly pageSize?: number | undefined
}

export type GatewayListInfiniteOptions<R, W, A, D extends A = A> = <
  const S extends readonly A[] = readonly [D],
>(
  gateway: Gateway,
  options?: GatewayInfiniteListOptions<W, A> & { readonly select?: S | undefined },
) => GatewayInfiniteOptions<
  GatewayPage<GatewayPick<R, (S[number] | 'ItemId') & keyof R, S['length']>>
>

export type GatewayGetOptions<R, A, D extends A = A> = <
  const S extends readonly A[] = readonly [D],
>(
  gateway: Gateway,
  itemId: string,
  options?: { readonly select?: S | undefined },
) => GatewayQueryOptions<GatewayPick<R, (S[number] | 'ItemId') & keyof R, S['length']> | null>

export type GatewayCountOptions<W> = (gateway: Gateway, where?: W) => GatewayQueryOptions<number>

/** Variables of the options of an update or a delete. */
export interface GatewayChangeInput<C, I> {
  /** ItemId, or a condition. */
  readonly where: C
  readonly input: I
}

/**
 * Adds an optimistic update: members that an update changes, and rows that a delete removes,
 * change in all cached queries at once, if `where` names ItemIds. They return to their previous
 * state if the service refuses the change.
 *
 * ```ts
 * useMutation(optimistic(updateProductOptions(gateway)))
 * ```
 */
export function optimistic<T, V extends { readonly where: unknown; readonly input: unknown }>(
  options: GatewayMutationOptions<T, V>,
): GatewayOptimisticOptions<T, V> {
  const key: any = options.mutationKey.slice(0, 3)
  return {
    ...options,
    onMutate: async ({ where, input }, { client }) => {
      await client.cancelQueries({ queryKey: key })
      const snapshot = client.getQueriesData({ queryKey: key })
      const isDelete = /^delete/.test(options.mutationKey[3] as string)
      const given = inRow(input)
      const ids = idsOf(where)
      const change = (row: any) =>
        !row || !ids.includes(row.ItemId) ? row : isDelete ? null : assigned(row, given)
      for (const [one, data] of snapshot)
        if (data) client.setQueryData(one, (changes[one[3]] ?? keep)(data, change))
      return snapshot
    },
    onError: (_, __, snapshot, { client }) => {
      for (const [one, data] of snapshot ?? []) client.setQueryData(one, data)
    },
    // The last one refreshes the queries: before, the service may not know the other changes.
    onSettled: async (_, __, ___, ____, { client }) => {
      if (client.isMutating({ mutationKey: key }) === 1)
        void client.invalidateQueries({ queryKey: key })
    },
  }
}

/**
 * Returns the rows of all pages of an infinite query. A row that moved between two pages
 * occurs once.
 */
export function itemsOf<R extends { readonly ItemId: unknown }>(
  pages: readonly { readonly items: readonly R[] }[] = [],
): readonly R[] {
  const rows: any = new Map()
  for (const { items } of pages) for (const row of items) rows.set(row.ItemId, row)
  return [...rows.values()]
}

/** Converts query options to the arguments of `useSWR`: `useSWR(...toSwr(options))`. */
export function toSwr<T>({
  queryKey,
  queryFn,
}: GatewayQueryOptions<T>): readonly [key: GatewayQueryKey<T>, fetcher: () => Promise<T>] {
  return [queryKey, () => queryFn({})]
}

/** Converts infinite options to the arguments of `useSWRInfinite`. */
export function toSwrInfinite<T>({
  queryKey,
  queryFn,
  getNextPageParam,
}: GatewayInfiniteOptions<T>): readonly [
  getKey: (index: number, previous: T | null) => readonly unknown[] | null,
  fetcher: (key: readonly unknown[]) => Promise<T>,
] {
  return [
    (index, previous) =>
      previous && !getNextPageParam(previous) ? null : [...queryKey, index + 1],
    (key) => queryFn({ pageParam: key.at(-1) as number }),
  ]
}

/**
 * Converts mutation options to the arguments of `useSWRMutation`, with `mutate` of
 * `useSWRConfig`. Infinite queries have their own `mutate`.
 */
export function toSwrMutation<T, V>(
  { mutationKey, mutationFn }: GatewayMutationOptions<T, V>,
  mutate: (matches: (key: any) => boolean) => Promise<unknown>,
): readonly [
  key: readonly unknown[],
  fetcher: (key: readonly unknown[], options: { readonly arg: V }) => Promise<T>,
] {
  const isStale = (key: any): boolean =>
    Array.isArray(key) && mutationKey.slice(0, 3).every((part, index) => key[index] === part)
  return [
    mutationKey,
    async (_, { arg }) => {
      try {
        return await mutationFn(arg)
      } finally {
        await mutate(isStale)
      }
    },
  ]
}

/** Returns the ItemIds that a condition names; none if it states anything else. */
const idsOf: any = (where: any) => {
  if (typeof where === 'string') return [where]
  const { ItemId, ...others } = where
  const { eq, in: ids = [eq], ...more }: any = ItemId ?? {}
  return Object.keys({ ...others, ...more }).length > 0 ? [] : ids
}

/** Returns a value of an input as a row has it: dates are strings, and Longs as generated. */
const inRow: any = (value: any) => {
  if (typeof value === 'bigint') {
    if (longType === 'bigint') return value
    return longType === 'string' ? `${value}` : Number(value)
  }
  if (typeof value?.toJSON === 'function') return value.toJSON()
  if (Array.isArray(value)) return value.map((item) => inRow(item))
  if (typeof value !== 'object' || value === null) return value
  const members = (Object as any).entries(value).filter(([, member]: any) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]: any) => [name, inRow(member)]))
}

/** Changes the members that the row has. */
const assigned: any = (row: any, input: any) =>
  Object.fromEntries(
    (Object as any).entries(row).map(([name, value]: any) => {
      if (!Object.hasOwn(input, name)) return [name, value]
      // Inputs take numbers for a Long, whatever its type in rows.
      const isLong = typeof value === 'bigint' && Number.isInteger(input[name])
      return [name, isLong ? BigInt(input[name]) : input[name]]
    }),
  )

const changePage: any = (page: any, change: any) => {
  const items = page.items.flatMap((row: any) => change(row) ?? [])
  return { ...page, items, totalCount: page.totalCount - page.items.length + items.length }
}

const keep: any = (data: any) => data

/** Functions that change the data of a query, by its kind. */
const changes: any = {
  list: changePage,
  infinite: (data: any, change: any) => ({
    ...data,
    pages: data.pages.map((page: any) => changePage(page, change)),
  }),
  get: (row: any, change: any) => change(row),
}

/**
 * Libraries drop undefined values from keys. Their own key keeps a query with an undefined
 * condition, which fails, apart from the one without the condition.
 */
const keyOf: any = (gateway: Gateway, ...rest: unknown[]) =>
  JSON.parse(
    JSON.stringify(['gateway', gateway.projectKey, ...rest], (name, value) => {
      if (typeof value === 'bigint') return `${value}`
      return value === undefined && name !== 'select' ? { undefined: true } : value
    }),
  )

const withSignal = (gateway: Gateway, signal: AbortSignal | undefined): Gateway =>
  signal ? withSignals(gateway, signal) : gateway

/** @param length Number of arguments, the last of which are options; 0 if there are none. @internal */
export const queryOptions: any =
  (schema: string, kind: string, call: any, length: number) =>
  (gateway: Gateway, ...args: any) => {
    if (length > 0) args[length - 1] ??= {}
    return {
      queryKey: keyOf(gateway, schema, kind, ...args),
      queryFn: ({ signal }: any) => orThrow(call(withSignal(gateway, signal), ...args)),
    }
  }

/** @internal */
export const infiniteOptions: any =
  (schema: string, list: any) =>
  (gateway: Gateway, { order = [], pageSize = 100, ...options }: any = {}) => {
    const sorted = [...order, { field: 'ItemId', direction: 'ASC' }]
    return {
      queryKey: keyOf(gateway, schema, 'infinite', { ...options, order, pageSize }),
      queryFn: ({ pageParam, signal }: any) => {
        const paging = { pageNo: pageParam, pageSize }
        return orThrow(list(withSignal(gateway, signal), { ...options, order: sorted, paging }))
      },
      initialPageParam: 1,
      getNextPageParam: (page: any) => (page.hasNextPage ? page.pageNo + 1 : undefined),
      getPreviousPageParam: (page: any) => (page.hasPreviousPage ? page.pageNo - 1 : undefined),
    }
  }

/** @internal */
export const mutationOptions: any = (schema: string, kind: string, call: any) => (gateway: any) => {
  const mutationKey = keyOf(gateway, schema, kind)
  return {
    mutationKey,
    mutationFn: (given: any) =>
      orThrow(
        /^insert/.test(kind) ? call(gateway, given) : call(gateway, given.where, given.input),
      ),
    onSettled: (...args: any) =>
      args.at(-1).client.invalidateQueries({ queryKey: mutationKey.slice(0, 3) }),
  }
}
