import { type PageOfRows, readPages } from '@servicekit/core'
import type { CallOptions } from './core.ts'

/** Options of a list. Pages count from 1 for every list, also where the route counts from 0. */
export interface ListOptions extends CallOptions {
  /** Rows per request. Default: 100. */
  readonly pageSize?: number
  /** Sort order, by the property name of the service; ascending by default. */
  readonly sort?: { readonly property: string; readonly isDescending?: boolean }
}

/** One page of a list. */
export interface Page<T> {
  /** Rows in the order of the service. */
  readonly items: readonly T[]
  /** Page number, from 1. */
  readonly page: number
  /** Number of rows in all pages; undefined if the instance does not return it. */
  readonly total: number | undefined
  /** Response as received. */
  readonly raw: unknown
}

/**
 * List that is fetched page by page, on demand.
 *
 * ```ts
 * for await (const user of listUsers(core)) console.log(user.email)
 * const { items, total } = await listUsers(core).page(2)
 * ```
 */
export interface Listing<T> extends AsyncIterable<T> {
  /**
   * Fetches one page; results are not cached.
   *
   * @param page Page number, from 1. Default: 1.
   */
  readonly page: (page?: number) => Promise<Page<T>>
}

/**
 * Creates a listing.
 *
 * @param contradiction Creates the error for contradictory pages or counts.
 */
export function listing<T>(
  { pageSize = 100 }: ListOptions,
  read: (page: number, pageSize: number) => Promise<Omit<Page<T>, 'page'>>,
  contradiction: () => Error,
): Listing<T> {
  const page = async (page = 1): Promise<Page<T>> => {
    if (!(page >= 1)) throw new TypeError('page counts from 1')
    return { ...(await read(page, pageSize)), page }
  }
  return { page, [Symbol.asyncIterator]: () => rowsOf(pageSize, page, contradiction) }
}

/** Yields the rows of all pages. */
export async function* rowsOf<T>(
  pageSize: number,
  read: (page: number) => Promise<PageOfRows<T>>,
  contradiction: () => Error,
): AsyncGenerator<T, void, undefined> {
  for await (const { items } of readPages(pageSize, read, contradiction)) yield* items
}
