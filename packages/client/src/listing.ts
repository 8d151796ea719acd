import { readPages } from '@servicekit/core'
import type { Route } from '@servicekit/contract/routes'
import type { CallOptions, Core, SendInput } from './core.ts'
import { listIn, operate, pick, wrongShape } from './operate.ts'

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

/** Describes how to request and read the pages of one list. */
export interface ListRoute<T> {
  readonly route: Route
  readonly intent: string
  /** Number of the first page in this route. */
  readonly first: 0 | 1
  /** Member that contains the rows, in addition to `data` and `items`. */
  readonly rows?: string
  /** Converts a page request to the input of this route. Default: a JSON body. */
  readonly input?: (request: PageRequest) => Pick<SendInput, 'query' | 'json'>
  readonly read?: (row: unknown) => T
}

/** Input of a list route, with the page number as the route counts it. */
interface PageRequest {
  readonly page: number
  readonly pageSize: number
  readonly sort?: ListOptions['sort']
}

/** Creates a listing for a route that returns `{data, totalCount}` or similar. */
export function listing<T>(
  core: Core,
  {
    route,
    intent,
    first,
    rows = 'data',
    input = (json) => ({ json }),
    read = (row) => row as T,
  }: ListRoute<T>,
  { pageSize = 100, sort, ...call }: ListOptions,
): Listing<T> {
  const page = async (page = 1): Promise<Page<T>> => {
    if (!(page >= 1)) throw new TypeError('page must be at least 1')
    const request = { page: page - 1 + first, pageSize, ...(sort && { sort }) }
    const raw = await operate(core, route, { ...call, ...input(request), intent })
    const items = listIn(raw, rows)
    if (!items) throw wrongShape(core, route, intent, 'a list', { page })
    const total = totalIn(raw)
    // JSON.parse has rounded a count beyond 2^53.
    if (total !== undefined && !Number.isSafeInteger(total)) {
      throw wrongShape(core, route, intent, 'an exact totalCount', { page })
    }
    return { items: items.map(read), page, total, raw }
  }
  const contradiction = (reason: string): Error =>
    wrongShape(core, route, intent, `consistent pages (received ${reason})`)
  return {
    page,
    async *[Symbol.asyncIterator]() {
      for await (const { items } of readPages(page, contradiction, pageSize)) yield* items
    },
  }
}

/** Returns the number of rows in all pages; undefined if the response has none. */
function totalIn(body: unknown): number | undefined {
  const total = pick(body, 'totalCount') ?? pick(pick(body, 'data'), 'totalCount')
  return typeof total === 'number' ? total : undefined
}
