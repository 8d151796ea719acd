import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'
import useSWRInfinite from 'swr/infinite'
import useSWRMutation from 'swr/mutation'
import { toSwr, toSwrInfinite, toSwrMutation } from '../../runtime/gateway-query.ts'
import { createContainer, type Mount, type Page } from './mount.ts'

export { unstable_serialize as serialize } from 'swr'

/** @param fallback Data that a server has rendered, by key. */
export const mount: Mount = (fallback, { queries, pages, mutation }) => {
  const root = createRoot(createContainer())
  let data: unknown[] = []
  let walk:
    | { readonly pages: Page[] | undefined; readonly next: () => Promise<unknown> }
    | undefined
  let mutate: (variables: never) => Promise<unknown> = () => Promise.resolve()
  const View = (): null => {
    data = queries.map((options) => useSWR(...toSwr(options)).data)
    const infinite = useSWRInfinite(...toSwrInfinite(pages))
    walk = { pages: infinite.data, next: () => infinite.setSize((size) => size + 1) }
    const change = useSWRMutation(...toSwrMutation(mutation, useSWRConfig().mutate))
    mutate = change.trigger as typeof mutate
    return null
  }
  const value = {
    provider: () => new Map(),
    fallback: fallback as object,
    revalidateIfStale: false,
  }
  root.render(createElement(SWRConfig, { value }, createElement(View)))
  return {
    data: () => data,
    pages: () => walk?.pages,
    fetchNextPage: async () => walk?.next(),
    mutate: (variables) => mutate(variables as never),
    unmount: () => root.unmount(),
  }
}
