import {
  findShapeProblem,
  listDocument,
  nextPageDocument,
  printShape,
} from './gateway-documents.js'
import { hasItemIds, noItemId } from './gateway-list.js'
import { request, withSignals } from './gateway-request.js'
import { GatewayOperationError } from './gateway.js'
import type { Gateway, GatewayError, GatewayResult } from './gateway.js'
import type {
  GatewayAny,
  GatewayMoved,
  GatewayJson,
  GatewayShape,
  GatewayWalkOptions,
} from './gateway-types.js'

/** Options of a walk over any schema. */
interface WalkCall extends GatewayWalkOptions<unknown, string> {
  readonly select?: readonly string[] | GatewayShape | undefined
}

interface Row {
  readonly ItemId: string
}

interface Page {
  readonly items: readonly Row[]
  readonly totalCount: number
  readonly totalPages: number
  readonly pageSize?: number
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
  json?: GatewayJson,
): (gateway: Gateway, options?: WalkCall) => AsyncGenerator<GatewayAny, void, undefined> {
  return async function* (gateway, options = {}) {
    const { select = fields.split(' '), order = [], pageSize = 100, prefetch = 1 } = options
    const { onMoved, signal } = options
    const problem = Array.isArray(select) ? undefined : findShapeProblem(select as GatewayShape)
    if (problem) throw failed({ message: problem, extensions: { code: 'VALUE_INVALID' } })
    const names = Array.isArray(select) ? select : printShape(select as GatewayShape)
    const selection = names.filter((name) => name !== 'ItemId').join(' ')
    const common = {
      // An undefined condition fails; an absent one does not.
      ...('where' in options && { where: options.where }),
      // Without ItemId, rows that compare equal may come in a different order on each page.
      order: [...order, { field: 'ItemId', direction: 'ASC' }],
    }
    const stop = new AbortController()
    const signals = signal ? [stop.signal, signal] : [stop.signal]
    const requestPage = (pageNo: number): Promise<GatewayResult<GatewayAny>> => {
      const first = { ...common, paging: { pageNo, pageSize } }
      const next = { ...first, before: { pageNo: pageNo - 1, pageSize } }
      return withSignals(gateway, signals, (call) =>
        pageNo === 1
          ? request(call, listDocument(field, schema, selection), first, json)
          : request(call, nextPageDocument(field, schema, selection), next, json),
      )
    }
    const pages = prefetchPages(requestPage, prefetch)
    const rows = trackRows(field, pageSize)
    let totalPages = 1
    try {
      for (let pageNo = 1; pageNo <= Math.max(totalPages, pages.requested()); pageNo++) {
        const aborted = [...signals, gateway.signal].find((one) => one?.aborted)
        if (aborted) throw failed({ message: 'The walk was aborted', cause: aborted.reason })
        pages.request(pageNo, totalPages)
        const result = await pages.next()
        if (!result.ok) throw new GatewayOperationError(result)
        const page: Page | undefined = result.data[field]
        if (!page) throw failed({ message: 'The response contains no page', cause: result.data })
        if (!hasItemIds(page)) {
          throw failed({ message: noItemId, extensions: { code: 'RESPONSE_INVALID' } })
        }
        const items = rows.add(pageNo, page, result.data[`${field}Before`]?.items)
        totalPages = page.totalPages
        // The next page loads while the caller handles this one.
        pages.request(pageNo, totalPages)
        if (pageNo === 1 || items.length > 0) yield { ...page, items }
      }
      const moved = rows.moved()
      if (moved === undefined) return
      if (onMoved) onMoved(moved)
      else if (moved.missed > 0) throw failed(rowsMoved(field, moved))
    } finally {
      stop.abort()
    }
  }
}

interface PrefetchedPages {
  /** Number of the last page that was requested. */
  readonly requested: () => number
  /** Requests a page and those to prefetch after it, but none past the last known page. */
  readonly request: (pageNo: number, totalPages: number) => void
  readonly next: () => Promise<GatewayResult<GatewayAny>>
}

function prefetchPages(
  requestPage: (pageNo: number) => Promise<GatewayResult<GatewayAny>>,
  prefetch: number,
): PrefetchedPages {
  const pending: Promise<GatewayResult<GatewayAny>>[] = []
  let requested = 0
  return {
    requested: () => requested,
    request: (pageNo, totalPages) => {
      const last = Math.min(totalPages, pageNo + prefetch)
      while (requested < last) pending.push(requestPage(++requested))
    },
    next: () => pending.shift()!,
  }
}

interface TrackedRows {
  /**
   * Returns the rows of a page that no earlier page had.
   *
   * @param before Rows of the page before, as they are now.
   * @throws GatewayOperationError if the pages contradict each other or their count.
   */
  readonly add: (pageNo: number, page: Page, before: readonly Row[] | undefined) => readonly Row[]
  /** Returns the rows that moved; undefined if there are none. */
  readonly moved: () => GatewayMoved | undefined
}

/** Detects rows that move from one page to another during a walk. */
function trackRows(field: string, pageSize: number): TrackedRows {
  const seen = new Set<string>()
  /** ItemIds of each page. */
  const seenPages = new Set<string>()
  const twice = new Set<string>()
  const missing = new Set<string>()
  let totalCount = 0
  /** Pages that the first page announced. */
  let announced = 0
  /** Pages without a new row. */
  let stale = 0
  let hasShrunk = false
  return {
    add: (pageNo, page, before) => {
      for (const { ItemId } of before ?? []) if (!seen.has(ItemId)) missing.add(ItemId)
      // The service may limit the size of pages.
      const fullSize = Math.min(pageSize, page.pageSize ?? pageSize)
      if (before && before.length < fullSize) hasShrunk = true
      const newRows: Row[] = []
      for (const row of page.items) {
        missing.delete(row.ItemId)
        if (seen.has(row.ItemId)) twice.add(row.ItemId)
        else newRows.push(row)
        seen.add(row.ItemId)
      }
      if (pageNo === 1) announced = page.totalPages
      // Rows that move make pages overlap; more such pages than announced have another cause.
      if (page.items.length > 0 && newRows.length === 0) stale++
      const isEndless = stale > announced || pageNo > 2 * announced + 100
      if (isEndless || isContradictory(pageNo, page, seenPages)) throw failed(contradiction(field))
      totalCount = page.totalCount
      return newRows
    },
    moved: () => {
      const missed = Math.max(missing.size, totalCount - seen.size, hasShrunk ? 1 : 0)
      if (missed === 0 && twice.size === 0) return undefined
      return { twice: [...twice], missing: [...missing], missed }
    },
  }
}

/** Returns whether a page repeats an earlier one, or contradicts or lacks its own count. */
function isContradictory(
  pageNo: number,
  { items, totalCount, totalPages }: Page,
  seenPages: Set<string>,
): boolean {
  // Without totals the walk would end here, and look complete.
  if (!Number.isInteger(totalPages)) return true
  if (items.length === 0) return pageNo < totalPages
  const ids = items.map(({ ItemId }) => ItemId).join()
  if (seenPages.has(ids)) return true
  seenPages.add(ids)
  return items.length > totalCount
}

const contradiction = (field: string): GatewayError => ({
  message: `${field}: the pages contradict each other or their count`,
  extensions: { code: 'PAGES_CONTRADICT' },
})

const rowsMoved = (field: string, { missed, missing }: GatewayMoved): GatewayError => ({
  message: `${field}: rows moved during the walk, and ${missed} or more were not delivered`,
  extensions: { code: 'ROWS_MOVED', missing },
})

const failed = (error: GatewayError): GatewayOperationError =>
  new GatewayOperationError({ ok: false, errors: [error], partial: undefined })
