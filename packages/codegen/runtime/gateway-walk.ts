import { GatewayOperationError, printShape, request, withSignals } from './gateway.js'
import type {
  Gateway,
  GatewayAny,
  GatewayError,
  GatewayFailure,
  GatewayMoved,
  GatewayParse,
  GatewayResult,
  GatewayShape,
  GatewaySort,
} from './gateway.js'

const pageInfo = 'totalCount pageNo pageSize totalPages hasNextPage hasPreviousPage'

/** Options of a walk over any schema. */
interface WalkCall {
  readonly select?: readonly string[] | GatewayShape | undefined
  readonly where?: unknown
  readonly order?: readonly GatewaySort<string>[] | undefined
  readonly pageSize?: number | undefined
  readonly prefetch?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly onMoved?: ((moved: GatewayMoved) => void) | undefined
}

/** Data of a request: a page, and the ItemIds of the previous one. */
interface Pages {
  readonly page?: GatewayAny
  readonly before?: { readonly items: readonly { readonly ItemId: string }[] }
}

/**
 * Creates the function of a walk.
 *
 * @param fields Names of the fields that it selects by default.
 * @internal
 */
export function walk(
  field: string,
  schema: string,
  fields: string,
  parse?: GatewayParse,
): (gateway: Gateway, options?: WalkCall) => AsyncGenerator<GatewayAny, void, undefined> {
  return async function* (gateway, options = {}) {
    const { select = fields.split(' '), order = [], pageSize = 100, prefetch = 1 } = options
    const { onMoved, signal } = options
    const names = Array.isArray(select) ? select : printShape(select as GatewayShape)
    const items = [...new Set(['ItemId', ...names])]
    const stop = new AbortController()
    const signals = signal ? [stop.signal, signal] : [stop.signal]
    const listAs = (alias: string, paging: string, selection: string): string =>
      `${alias}:${field}(where:$where,order:$order,paging:$${paging}){${selection}}`
    const common = {
      // An undefined condition fails; an absent one does not.
      ...('where' in options && { where: options.where }),
      // Without ItemId, rows that compare equal may come in a different order on each page.
      order: [...order, { field: 'ItemId', direction: 'ASC' }],
    }
    const requestPage = (pageNo: number): Promise<GatewayResult<Pages>> => {
      const page = listAs('page', 'paging', `items{${items}}${pageInfo}`)
      const paging = { pageNo, pageSize }
      const parameters = `$where:${schema}FilterInput,$order:[DynamicSortInput!],$paging:PaginationInput`
      const call = withSignals(gateway, ...signals)
      if (pageNo === 1)
        return request(call, `query(${parameters}){${page}}`, { ...common, paging }, parse)
      // Read the ItemIds of the previous page again: a new one there belongs to a row that
      // moved and was missed.
      const query = `query(${parameters},$before:PaginationInput){${page}${listAs('before', 'before', 'items{ItemId}')}}`
      const before = { pageNo: pageNo - 1, pageSize }
      return request(call, query, { ...common, paging, before }, parse)
    }

    const seen = new Set<string>()
    const seenPages = new Set<string>()
    const twice = new Set<string>()
    const missing = new Set<string>()
    const pending: Promise<GatewayResult<Pages>>[] = []
    let requested = 0
    let pages = 1
    let total = 0
    let announced = 0
    let stale = 0
    let isUnsure = false
    // Never prefetch past the last known page.
    const prefetchAfter = (pageNo: number): void => {
      while (requested < Math.min(pages, pageNo + prefetch)) pending.push(requestPage(++requested))
    }
    try {
      for (let pageNo = 1; pageNo <= requested || pageNo <= pages; pageNo++) {
        const aborted = [...signals, gateway.signal].find((one) => one?.aborted)
        if (aborted) throw failed({ message: 'The walk was aborted', cause: aborted.reason })
        prefetchAfter(pageNo)
        const result = await pending.shift()!
        if (!result.ok) throw new GatewayOperationError(result)
        const { page, before } = result.data
        if (!page) throw failed({ message: 'The response contains no page', cause: result.data })
        for (const { ItemId } of before?.items ?? []) if (!seen.has(ItemId)) missing.add(ItemId)
        // The service may limit the size of pages.
        const fullSize = Math.min(pageSize, page.pageSize ?? pageSize)
        if (before && before.items.length < fullSize) isUnsure = true
        const rows: readonly { readonly ItemId: string }[] = page.items
        const fresh = rows.filter(({ ItemId }) => {
          missing.delete(ItemId)
          if (!seen.has(ItemId)) return seen.add(ItemId)
          twice.add(ItemId)
          return false
        })
        if (pageNo === 1) announced = page.totalPages
        const ids = rows.map(({ ItemId }) => ItemId).join()
        const isRepeated = rows.length > 0 && seenPages.has(ids)
        seenPages.add(ids)
        const isEmpty = rows.length === 0 && pageNo < page.totalPages
        // Rows that move make pages overlap; more such pages than announced have another cause.
        if (rows.length > 0 && fresh.length === 0) stale++
        const isEndless = stale > announced || pageNo > 2 * announced + 100
        if (isRepeated || isEmpty || isEndless || rows.length > page.totalCount)
          throw failed(contradiction(field))
        pages = page.totalPages
        total = page.totalCount
        // The next page loads while the caller handles this one.
        prefetchAfter(pageNo)
        if (pageNo === 1 || fresh.length > 0) yield { ...page, items: fresh }
      }
      const missed = Math.max(missing.size, total - seen.size, isUnsure ? 1 : 0)
      if (missed < 1 && twice.size < 1) return
      if (onMoved) onMoved({ twice: [...twice], missing: [...missing], missed })
      else if (missed > 0) throw failed(lost(field, missed, [...missing]))
    } finally {
      stop.abort()
    }
  }
}

const contradiction = (field: string): GatewayError => ({
  message: `${field}: the pages contradict each other or their count`,
  extensions: { code: 'PAGES_CONTRADICT' },
})

const lost = (field: string, missed: number, missing: readonly string[]): GatewayError => ({
  message: `${field}: rows moved during the walk, and ${missed} or more were not delivered`,
  extensions: { code: 'ROWS_MOVED', missing },
})

const failed = (error: GatewayError): GatewayOperationError => {
  const failure: GatewayFailure = { ok: false, errors: [error], partial: undefined }
  return new GatewayOperationError(failure)
}
