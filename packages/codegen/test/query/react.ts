import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { createContainer, type Mount, type Page } from './mount.ts'

export { dehydrate, hydrate, QueryClient } from '@tanstack/react-query'

export const mount: Mount = (given, { queries, pages, mutation }) => {
  const client = given as QueryClient
  const root = createRoot(createContainer())
  let data: unknown[] = []
  let walk:
    | { readonly pages: Page[] | undefined; readonly next: () => Promise<unknown> }
    | undefined
  let mutate: (variables: never) => Promise<unknown> = () => Promise.resolve()
  root.render(
    createElement(() => {
      data = queries.map((options) => useQuery(options, client).data)
      const infinite = useInfiniteQuery(pages, client)
      walk = { pages: infinite.data?.pages, next: infinite.fetchNextPage }
      mutate = useMutation(mutation, client).mutateAsync
      return null
    }),
  )
  return {
    data: () => data,
    pages: () => walk?.pages,
    fetchNextPage: async () => walk?.next(),
    mutate: (variables) => mutate(variables as never),
    unmount: () => root.unmount(),
  }
}
