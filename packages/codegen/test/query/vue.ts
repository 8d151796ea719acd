import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/vue-query'
import { effectScope } from 'vue'
import type { Mount } from './mount.ts'

export { dehydrate, hydrate, QueryClient } from '@tanstack/vue-query'

export const mount: Mount = (given, { queries, pages, mutation }) => {
  const client = given as QueryClient
  const scope = effectScope()
  return scope.run(() => {
    const all = queries.map((options) => useQuery(options, client))
    const infinite = useInfiniteQuery(pages, client)
    const { mutateAsync } = useMutation(mutation, client)
    return {
      data: () => all.map(({ data }) => data.value),
      pages: () => infinite.data.value?.pages,
      fetchNextPage: () => infinite.fetchNextPage(),
      mutate: (variables: unknown) => mutateAsync(variables as never),
      unmount: () => scope.stop(),
    }
  })!
}
