import { optimisticUpdate } from './gateway-optimistic.js'
import { orThrow } from './gateway.js'
import { withSignals } from './gateway-request.js'
import type { Gateway, GatewayResult } from './gateway.js'
import type { GatewayQueryKey } from './gateway-query-key.js'
import type {
  GatewayAny,
  GatewayAnyList,
  GatewayPage,
  GatewayPaging,
  GatewayPick,
  GatewaySort,
} from './gateway-types.js'

export type { GatewayQueryKey } from './gateway-query-key.js'

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
    getQueriesData(filters: {
      queryKey: readonly unknown[]
    }): readonly [key: readonly unknown[], data: unknown][]
    setQueryData(key: readonly unknown[], data: unknown): unknown
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
  const [gateway, project, schema, kind] = options.mutationKey
  const queryKey = [gateway, project, schema]
  return {
    ...options,
    onMutate: async ({ where, input }, { client }) => {
      await client.cancelQueries({ queryKey })
      const snapshot = client.getQueriesData({ queryKey })
      const isDelete = String(kind).startsWith('delete')
      const update = optimisticUpdate(where, isDelete ? 'delete' : (input as object))
      for (const [key, data] of snapshot) if (data) client.setQueryData(key, update(key, data))
      return snapshot
    },
    onError: (_, __, snapshot, { client }) => {
      for (const [key, data] of snapshot ?? []) client.setQueryData(key, data)
    },
    // The last one refreshes the queries: before, the service may not know the other changes.
    onSettled: async (_, __, ___, ____, { client }) => {
      if (client.isMutating({ mutationKey: queryKey }) === 1)
        void client.invalidateQueries({ queryKey })
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
  const rows = new Map<unknown, R>()
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
  mutate: (matches: (key: unknown) => boolean) => Promise<unknown>,
): readonly [
  key: readonly unknown[],
  fetcher: (key: readonly unknown[], options: { readonly arg: V }) => Promise<T>,
] {
  const isStale = (key: unknown): boolean =>
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

/** Creates the key of a query or a mutation. */
function keyOf(gateway: Gateway, ...parts: readonly unknown[]): GatewayQueryKey<GatewayAny> {
  const json = JSON.stringify(['gateway', gateway.projectKey, ...parts], (name, value: unknown) => {
    if (typeof value === 'bigint') return `${value}`
    // Libraries drop undefined values from keys. Their own key keeps a query with an undefined
    // condition, which fails, apart from the one without the condition.
    return value === undefined && name !== 'select' ? { undefined: true } : value
  })
  return JSON.parse(json) as GatewayQueryKey<GatewayAny>
}

/** Calls an operation with the signal of a library, if there is one. */
const withSignal = (
  gateway: Gateway,
  signal: AbortSignal | undefined,
  operation: (gateway: Gateway) => Promise<GatewayResult<GatewayAny>>,
): Promise<GatewayAny> =>
  orThrow(signal ? withSignals(gateway, [signal], operation) : operation(gateway))

/** Operation of any schema. */
type Operation = (gateway: Gateway, ...args: GatewayAny[]) => Promise<GatewayResult<GatewayAny>>

/**
 * Creates the query options of an operation.
 *
 * @param length Number of arguments, the last of which are options; 0 if there are none.
 * @internal
 */
export function queryOptions(
  schema: string,
  kind: string,
  operation: Operation,
  length: number,
): (gateway: Gateway, ...args: GatewayAny[]) => GatewayQueryOptions<GatewayAny> {
  return (gateway, ...given) => {
    const args = length === 0 ? given : [...given.slice(0, length - 1), given[length - 1] ?? {}]
    return {
      queryKey: keyOf(gateway, schema, kind, ...args),
      queryFn: ({ signal }) => withSignal(gateway, signal, (call) => operation(call, ...args)),
    }
  }
}

/** Creates the options of an infinite query of a list. @internal */
export function infiniteOptions(
  schema: string,
  list: GatewayAnyList,
): (gateway: Gateway, options?: GatewayAny) => GatewayInfiniteOptions<GatewayAny> {
  return (gateway, { order = [], pageSize = 100, ...options } = {}) => {
    const sorted = [...order, { field: 'ItemId', direction: 'ASC' }]
    return {
      queryKey: keyOf(gateway, schema, 'infinite', { ...options, order, pageSize }),
      queryFn: ({ pageParam, signal }) => {
        const paging = { pageNo: pageParam, pageSize }
        const call = { ...options, order: sorted, paging }
        return withSignal(gateway, signal, (signalled) => list(signalled, call))
      },
      initialPageParam: 1,
      getNextPageParam: (page) => (page.hasNextPage ? page.pageNo + 1 : undefined),
      getPreviousPageParam: (page) => (page.hasPreviousPage ? page.pageNo - 1 : undefined),
    }
  }
}

/** Creates the options of a mutation. @internal */
export function mutationOptions(
  schema: string,
  kind: string,
  operation: Operation,
): (gateway: Gateway) => GatewayMutationOptions<GatewayAny, GatewayAny> {
  const isInsert = kind.startsWith('insert')
  return (gateway) => {
    const mutationKey = keyOf(gateway, schema, kind)
    return {
      mutationKey,
      mutationFn: (variables) =>
        orThrow(
          isInsert
            ? operation(gateway, variables)
            : operation(gateway, variables.where, variables.input),
        ),
      onSettled: (_, __, ___, ____, { client }) =>
        client.invalidateQueries({ queryKey: mutationKey.slice(0, 3) }),
    }
  }
}
