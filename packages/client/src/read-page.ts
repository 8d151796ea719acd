import type { Route } from '@servicekit/contract/routes'
import type { Core, SendInput } from './core.ts'
import { listing, type Listing, type ListOptions } from './listing.ts'
import { contradictoryPages, listIn, operate, pick, wrongShape } from './shapes.ts'

/** How the pages of one list are asked for and read. */
export interface PageRoute<T> {
  readonly route: Route
  readonly intent: string
  /** What the route calls its first page. */
  readonly first: 0 | 1
  /** Member that holds the rows, beside `data` and `items`. */
  readonly rows?: string
  /** Turns what all lists are asked into what this one is; a JSON body by default. */
  readonly input?: (request: PageRequest) => Pick<SendInput, 'query' | 'json'>
  readonly read?: (row: unknown) => T
}

/** What the lists of the interface are asked, with the page as the route counts it. */
interface PageRequest {
  readonly page: number
  readonly pageSize: number
  readonly sort?: ListOptions['sort']
}

/** A listing over a route that answers `{data, totalCount}` or the like. */
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
