import { failure } from './gateway-request.js'
import type { Gateway, GatewayResult } from './gateway.js'
import type { GatewayAny, GatewayAnyList, GatewaySort } from './gateway-types.js'

/** Record in a pick list: its ItemId, and the text that people know it by. */
export interface GatewayChoice {
  readonly value: string
  readonly label: string
  /** The record of a current value does not exist or is not visible; the label is its ItemId. */
  readonly isMissing?: true
}

/** One page of a pick list. */
export interface GatewayChoices {
  readonly options: readonly GatewayChoice[]
  /** The options, after the current values that this page does not have: the content of a select. */
  readonly choices: readonly GatewayChoice[]
  /** Records of the current values, in their order, wherever they are in the list. */
  readonly selected: readonly GatewayChoice[]
  readonly totalCount: number
  readonly pageNo: number
  readonly hasNextPage: boolean
}

/** Options of a pick list. */
export interface GatewayPickListOptions<W, F> {
  /** Text that labels contain: as typed, in lower case, or with a capital first letter. */
  readonly search?: string | undefined
  /** ItemIds of the current values. */
  readonly value?: string | readonly string[] | null | undefined
  /** More conditions on the records. */
  readonly where?: W
  /** Order of the records, by label by default. */
  readonly order?: readonly GatewaySort<F>[] | undefined
  /** 1-based; 1 by default. */
  readonly pageNo?: number | undefined
  /** Records per page, 20 by default. */
  readonly pageSize?: number | undefined
}

/** Loads a page of a pick list. */
export interface GatewayPickList<W, F> {
  (gateway: Gateway, options?: GatewayPickListOptions<W, F>): Promise<GatewayResult<GatewayChoices>>
}

/** Reads the label of a record, or null. Calls at the same time share a request. */
export interface GatewayLabel {
  (gateway: Gateway, itemId: string | null | undefined): Promise<GatewayResult<string | null>>
}

/** Pick list and label of a field that refers to another schema. */
export interface GatewayReference<W, F> {
  readonly pick: GatewayPickList<W, F>
  readonly label: GatewayLabel
}

/** Reads one row by its ItemId. @internal */
export type GatewayLoad = (
  gateway: Gateway,
  itemId: string,
  options?: GatewayAny,
) => Promise<GatewayResult<GatewayAny>>

/** ItemIds per request. Instances may limit the size of a page. */
const batchSize = 100

/** Options of a gateway with which calls share a request. */
const shared = ['baseUrl', 'projectKey', 'headers', 'fetch', 'credentials'] as const

/** Calls at the same time. */
interface Batch {
  readonly select: readonly string[] | undefined
  readonly gateways: Gateway[]
  readonly ids: Set<string>
  readonly rows: Promise<GatewayResult<ReadonlyMap<string, unknown>>>
}

/** Creates the function that reads a row, with one request for calls at the same time. @internal */
export function load(list: GatewayAnyList): GatewayLoad {
  const batches = new Set<Batch>()
  const findBatch = (gateway: Gateway, select: Batch['select']): Batch | undefined =>
    [...batches].find(
      (batch) =>
        String(batch.select) === String(select) &&
        // A gateway is often copied for one call, `{ ...gateway, signal }`.
        shared.every((name) => batch.gateways[0]![name] === gateway[name]),
    )
  const createBatch = (gateway: Gateway, select: Batch['select']): Batch => {
    const rows = new Promise<void>((resolve) => void setTimeout(resolve)).then(() => {
      batches.delete(batch)
      return readBatch(list, batch)
    })
    const batch: Batch = { select, gateways: [gateway], ids: new Set(), rows }
    batches.add(batch)
    return batch
  }
  return async (gateway, itemId, options = {}) => {
    const select: Batch['select'] = options.select
    if (itemId === undefined) return failure('The ItemId is undefined', 'VALUE_INVALID')
    const batch = findBatch(gateway, select) ?? createBatch(gateway, select)
    batch.ids.add(itemId)
    batch.gateways.push(gateway)
    const result = await batch.rows
    return result.ok ? { ok: true, data: result.data.get(itemId) ?? null } : result
  }
}

async function readBatch(
  list: GatewayAnyList,
  { select, ids, gateways }: Batch,
): Promise<GatewayResult<ReadonlyMap<string, unknown>>> {
  const rows = new Map<string, unknown>()
  const all = [...ids]
  // Without a signal, a gateway has a time limit of its own.
  const call = gateways.find(({ signal }) => !signal) ?? {
    ...gateways[0]!,
    signal: signalOfAll(gateways.flatMap(({ signal }) => signal ?? [])),
  }
  for (let start = 0; start < all.length; start += batchSize) {
    const itemIds = all.slice(start, start + batchSize)
    const where = { ItemId: { in: itemIds } }
    for (let pageNo = 1, isLast = false; !isLast; pageNo++) {
      const paging = { pageNo, pageSize: itemIds.length }
      const result = await list(call, { select, where, paging })
      if (!result.ok) return result
      for (const row of result.data.items) rows.set(row.ItemId, row)
      isLast = !result.data.hasNextPage || result.data.items.length === 0
    }
  }
  return { ok: true, data: rows }
}

/** Returns a signal that aborts when all signals did. */
function signalOfAll(signals: readonly AbortSignal[]): AbortSignal {
  const controller = new AbortController()
  const check = (): void => {
    if (signals.every(({ aborted }) => aborted)) controller.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return controller.signal
}

const isEmpty = (value: unknown): value is null | undefined | '' =>
  value === null || value === undefined || value === ''

/** @param fields Names of the fields that make up a label. @internal */
export function toLabel(fields: string): (row: GatewayAny) => string {
  return (row) => {
    const parts = fields.split(' ').map((name) => row[name])
    return parts.filter((value) => !isEmpty(value)).join(' ') || row.ItemId
  }
}

/** Creates the function that reads the label of a record. @internal */
export function label(
  load: GatewayLoad,
  toLabel: (row: GatewayAny) => string,
  fields: string,
): GatewayLabel {
  return async (gateway, itemId) => {
    if (isEmpty(itemId)) return { ok: true, data: null }
    const result = await load(gateway, itemId, { select: fields.split(' ') })
    return result.ok && result.data ? { ok: true, data: toLabel(result.data) } : result
  }
}

/**
 * Creates the function that loads a page of a pick list.
 *
 * @param searched Names of the fields to search, which are texts.
 * @internal
 */
export function pick(
  list: GatewayAnyList,
  load: GatewayLoad,
  toLabel: (row: GatewayAny) => string,
  fields: string,
  searched: string,
): GatewayPickList<GatewayAny, GatewayAny> {
  const select = fields.split(' ')
  const toChoice = (row: GatewayAny): GatewayChoice => ({ value: row.ItemId, label: toLabel(row) })
  return async (gateway, options = {}) => {
    const { search, value, order, pageNo = 1, pageSize = 20 } = options
    const ids = [value ?? []].flat().filter((id) => !isEmpty(id))
    // An undefined condition fails, as in lists.
    const conditions: unknown[] = 'where' in options ? [options.where] : []
    if (!isEmpty(search)) conditions.push({ or: containing(searched.split(' '), search) })
    const [page, ...found] = await Promise.all([
      list(gateway, {
        select,
        ...(conditions.length > 0 && { where: { and: conditions } }),
        order: order ?? [...select, 'ItemId'].map((field) => ({ field })),
        paging: { pageNo, pageSize },
      }),
      ...ids.map((id) => load(gateway, id, { select })),
    ])
    if (!page.ok) return page
    const selected: GatewayChoice[] = []
    for (const [index, result] of found.entries()) {
      if (!result.ok) return result
      const id = ids[index]!
      selected.push(result.data ? toChoice(result.data) : { value: id, label: id, isMissing: true })
    }
    const { items, totalCount, hasNextPage } = page.data
    const rows: readonly GatewayChoice[] = items.map(toChoice)
    const others = selected.filter((one) => rows.every((row) => row.value !== one.value))
    const choices = [...others, ...rows]
    return { ok: true, data: { options: rows, choices, selected, totalCount, pageNo, hasNextPage } }
  }
}

/** Returns conditions for a text in several cases, because comparisons are case-sensitive. */
function containing(fields: readonly string[], search: string): readonly object[] {
  const lower = search.toLowerCase()
  const variants = new Set([search, lower, lower.charAt(0).toUpperCase() + lower.slice(1)])
  return fields.flatMap((field) => [...variants].map((contains) => ({ [field]: { contains } })))
}
