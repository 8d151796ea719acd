import type { CallOptions } from './core.ts'

/** What a list may be asked. Pages count from 1 on every route, whatever the route itself does. */
export interface ListOptions extends CallOptions {
  /** Rows per request; 100 by default. */
  readonly pageSize?: number
  /** By a property as the service names it; ascending by default. */
  readonly sort?: { readonly property: string; readonly isDescending?: boolean }
}

/** One page. */
export interface Page<T> {
  /** In the order of the service. */
  readonly items: readonly T[]
  /** From 1. */
  readonly page: number
  /** Rows of all pages; undefined where the instance does not count. */
  readonly total: number | undefined
  /** The answer as it came. */
  readonly raw: unknown
}

/**
 * A list that is read page by page, and not before somebody asks.
 *
 * ```ts
 * for await (const user of listUsers(core)) console.log(user.email)
 * const { items, total } = await listUsers(core).page(2)
 * ```
 */
export interface Listing<T> extends AsyncIterable<T> {
  /** One page; each call asks for it anew. @param page From 1, which is the default. */
  readonly page: (page?: number) => Promise<Page<T>>
}

/**
 * Makes a listing. It ends at the total, or at the first page that is not full
 * where there is no total.
 */
export function listing<T>(
  { pageSize = 100 }: ListOptions,
  read: (page: number, pageSize: number) => Promise<Omit<Page<T>, 'page'>>,
): Listing<T> {
  const page = async (page = 1): Promise<Page<T>> => {
    if (!(page >= 1)) throw new TypeError('page counts from 1')
    return { ...(await read(page, pageSize)), page }
  }
  return {
    page,
    async *[Symbol.asyncIterator]() {
      for (let number = 1, seen = 0; ; number++) {
        const { items, total } = await page(number)
        yield* items
        seen += items.length
        const isLast = total === undefined ? items.length < pageSize : seen >= total
        if (items.length === 0 || isLast) return
      }
    },
  }
}
