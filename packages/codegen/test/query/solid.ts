import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/solid-query'
import { createRoot } from 'solid-js'
import type { Mount } from './mount.ts'

export { dehydrate, hydrate, QueryClient } from '@tanstack/solid-query'

export const mount: Mount = (given, { queries, pages, mutation }) =>
  createRoot((dispose) => {
    const client = () => given as QueryClient
    const all = queries.map((options) => useQuery(() => options, client))
    const infinite = useInfiniteQuery(() => pages, client)
    const change = useMutation(() => mutation, client)
    return {
      data: () => all.map(({ isSuccess, data }) => (isSuccess ? data : undefined)),
      pages: () => (infinite.isSuccess ? infinite.data.pages : undefined),
      fetchNextPage: () => infinite.fetchNextPage(),
      mutate: (variables: unknown) => change.mutateAsync(variables as never),
      unmount: dispose,
    }
  })
