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
 * Creates a listing.
 *
 * @param contradicts Creates the error for pages and counts that cannot both be true.
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

/** Most pages of a list that announces no total. */
const mostPages = 10_000

/**
 * Yields the rows of all pages. A list with a total ends there; one without ends at the
 * first page that is not full or repeats an earlier page. Rows that exceed the total,
 * pages that end or repeat before it, and more than twice the announced pages throw
 * `contradicts()`, so that no caller mistakes a part for the whole or reads forever.
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

/** The first row as JSON; undefined for one that is nested too deeply. */
function firstOf(items: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(items[0])
  } catch {
    return undefined
  }
}
