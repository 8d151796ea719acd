import {
  createInfiniteQuery,
  createMutation,
  createQuery,
  type QueryClient,
} from '@tanstack/svelte-query'
import type { Mount, Mounted } from './mount.ts'

export { dehydrate, hydrate, QueryClient } from '@tanstack/svelte-query'

export const mount: Mount = (given, { queries, pages, mutation }) => {
  const client = () => given as QueryClient
  let mounted: Omit<Mounted, 'unmount'> | undefined
  const unmount = $effect.root(() => {
    const all = queries.map((options) => createQuery(() => options, client))
    const infinite = createInfiniteQuery(() => pages, client)
    const change = createMutation(() => mutation, client)
    mounted = {
      data: () => all.map(({ data }) => data),
      pages: () => infinite.data?.pages,
      fetchNextPage: () => infinite.fetchNextPage(),
      mutate: (variables: unknown) => change.mutateAsync(variables as never),
    }
  })
  return { ...mounted!, unmount }
}
