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
 * @param contradicts Creates the error for contradictory pages or counts.
 */
export function listing<T>(
  { pageSize = 100 }: ListOptions,
  read: (page: number, pageSize: number) => Promise<Omit<Page<T>, 'page'>>,
  contradicts: () => Error,
): Listing<T> {
  const page = async (page = 1): Promise<Page<T>> => {
    if (!(page >= 1)) throw new TypeError('page counts from 1')
    return { ...(await read(page, pageSize)), page }
  }
  return { page, [Symbol.asyncIterator]: () => rowsOf(pageSize, page, contradicts) }
}

/** Maximum number of pages for a list without a total. */
const mostPages = 10_000

/**
 * Yields the rows of all pages. A list with a total ends there. A list without one ends at
 * the first page that is incomplete or repeats an earlier page.
 *
 * Throws `contradicts()` for rows that exceed the total, for pages that end or repeat
 * before it, and for more than twice the announced pages, so that callers never mistake a
 * part for the whole or read forever.
 */
export async function* rowsOf<T>(
  pageSize: number,
  read: (page: number) => Promise<Pick<Page<T>, 'items' | 'total'>>,
  contradicts: () => Error,
): AsyncGenerator<T, void, undefined> {
  const starts = new Set<string | undefined>()
  let most: number | undefined
  for (let number = 1, seen = 0; ; number++) {
    const { items, total } = await read(number)
    const start = firstOf(items)
    const isOver = !items.length || starts.has(start)
    most ??= total ? (2 * total) / items.length + 1 : mostPages
    if (!isOver) seen += items.length
    if (number > most || (isOver ? seen < total! : seen > total!)) throw contradicts()
    if (isOver) return
    yield* items
    if (total === undefined ? items.length < pageSize : seen >= total) return
    starts.add(start)
  }
}

/** Returns the first row as JSON, or undefined if it is nested too deeply. */
function firstOf(items: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(items[0])
  } catch {
    return undefined
  }
}
