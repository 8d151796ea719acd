import type {
  GatewayInfiniteOptions,
  GatewayMutationOptions,
  GatewayQueryOptions,
} from '../../runtime/gateway-query.ts'

export interface Page {
  readonly totalCount: number
  readonly items: readonly {
    readonly ItemId: string
    readonly Price?: number | null
    readonly Stock?: number | null
  }[]
}

interface Options {
  readonly queries: readonly GatewayQueryOptions<unknown>[]
  readonly pages: GatewayInfiniteOptions<Page>
  readonly mutation: GatewayMutationOptions<unknown, never>
}

/** Hooks of a framework, as a component uses them. */
export interface Mounted {
  readonly data: () => readonly unknown[]
  readonly pages: () => readonly Page[] | undefined
  readonly fetchNextPage: () => Promise<unknown>
  readonly mutate: (variables: unknown) => Promise<unknown>
  readonly unmount: () => void
}

/** @param client QueryClient of the library, of which each has its own copy. */
export type Mount = (client: unknown, options: Options) => Mounted

/** Creates an element of the document that the test provides. */
export const createContainer = (): never =>
  (
    globalThis as unknown as { document: { createElement: (tag: string) => never } }
  ).document.createElement('div')
