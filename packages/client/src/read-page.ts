import type { Route } from '@servicekit/contract/routes'
import type { Core, SendInput } from './core.ts'
import { listing, type Listing, type ListOptions } from './listing.ts'
import { contradictoryPages, listIn, operate, pick, wrongShape } from './shapes.ts'

/** Describes how to request and read the pages of one list. */
export interface PageRoute<T> {
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
export function pagesOf<T>(
  core: Core,
  { route, intent, first, rows, input, read }: PageRoute<T>,
  { pageSize = 100, sort, ...call }: ListOptions,
): Listing<T> {
  const readPage = async (page: number) => {
    const request = { page: page - 1 + first, pageSize, ...(sort && { sort }) }
    const raw = await operate(core, route, {
      ...call,
      ...(input?.(request) ?? { json: request }),
      intent,
    })
    const list = listIn(raw, ...(rows === undefined ? [] : [rows]))
    if (!list) throw wrongShape(core, route, intent, 'a list')
    const total = pick(raw, 'totalCount') ?? pick(pick(raw, 'data'), 'totalCount')
    return {
      items: list.map((row) => (read ? read(row) : (row as T))),
      total: typeof total === 'number' ? total : undefined,
      raw,
    }
  }
  return listing({ pageSize }, readPage, () => contradictoryPages(core, route, intent))
}
