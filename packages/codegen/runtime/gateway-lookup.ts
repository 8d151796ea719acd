import type { Gateway, GatewayResult, GatewaySort } from './gateway.js'

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

/** ItemIds per request. Instances may limit the size of a page. */
const batchSize = 100

const shared = ['baseUrl', 'projectKey', 'headers', 'fetch', 'credentials']

/** @internal */
export const load: any = (list: any) => {
  let batches: any[] = []
  return async (gateway: any, itemId: string, { select }: any = {}) => {
    if (itemId === undefined) return { ok: false, errors: [{ message: 'The ItemId is undefined' }] }
    // A gateway is often copied for one call, `{ ...gateway, signal }`.
    let batch = batches.find(
      (one) =>
        `${one.select}` === `${select}` &&
        shared.every((name) => one.gateways[0][name] === gateway[name]),
    )
    if (!batch) {
      const added: any = { select, ids: new Set(), gateways: [gateway] }
      added.rows = new Promise((resolve) =>
        setTimeout(() => {
          batches = batches.filter((one) => one !== added)
          resolve(readBatch(list, added))
        }),
      )
      batches.push((batch = added))
    }
    batch.ids.add(itemId)
    batch.gateways.push(gateway)
    const result = await batch.rows
    return result.ok ? { ok: true, data: result.data.get(itemId) ?? null } : result
  }
}

const readBatch: any = async (list: any, { select, ids, gateways }: any) => {
  const rows = new Map()
  const all = [...ids]
  // Without a signal, a gateway has a time limit of its own.
  const call = gateways.find((one: Gateway) => !one.signal) ?? {
    ...gateways[0],
    signal: allOf(gateways.map((one: Gateway) => one.signal)),
  }
  for (let start = 0; start < all.length; start += batchSize) {
    const given = all.slice(start, start + batchSize)
    const where = { ItemId: { in: given } }
    for (let pageNo = 1, isLast = false; !isLast; pageNo++) {
      const paging = { pageNo, pageSize: given.length }
      const result = await list(call, { select, where, paging })
      if (!result.ok) return result
      for (const row of result.data.items) rows.set(row.ItemId, row)
      isLast = !result.data.hasNextPage || result.data.items.length === 0
    }
  }
  return { ok: true, data: rows }
}

/** Returns a signal that aborts when all signals did. */
const allOf: any = (signals: readonly AbortSignal[]) => {
  const controller = new AbortController()
  const check = () => signals.every((one) => one.aborted) && controller.abort()
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return controller.signal
}

const isEmpty: any = (value: unknown) => value === null || value === undefined || value === ''

/** @param fields Names of the fields that make up a label. @internal */
export const toLabel: any = (fields: string) => (row: any) =>
  fields
    .split(' ')
    .map((name) => row[name])
    .filter((value) => !isEmpty(value))
    .join(' ') || row.ItemId

/** @internal */
export const label: any =
  (load: any, toLabel: any, fields: string) =>
  async (gateway: Gateway, itemId: string | null | undefined) => {
    if (isEmpty(itemId)) return { ok: true, data: null }
    const result = await load(gateway, itemId, { select: fields.split(' ') })
    return result.ok && result.data ? { ok: true, data: toLabel(result.data) } : result
  }

/** @param searched Names of the fields to search, which are texts. @internal */
export const pick: any =
  (list: any, load: any, toLabel: any, fields: string, searched: string) =>
  async (gateway: Gateway, options: any = {}) => {
    const { search, value, order, pageNo = 1, pageSize = 20 } = options
    const select = fields.split(' ')
    const ids: string[] = [value ?? []].flat().filter((id) => !isEmpty(id))
    // An undefined condition fails, as in lists.
    const and = 'where' in options ? [options.where] : []
    if (!isEmpty(search)) and.push({ or: containing(searched.split(' '), search) })
    const [page, ...found] = await Promise.all([
      list(gateway, {
        select,
        ...(and.length > 0 && { where: { and } }),
        order: order ?? [...select, 'ItemId'].map((field) => ({ field })),
        paging: { pageNo, pageSize },
      }),
      ...ids.map((id) => load(gateway, id, { select })),
    ])
    const failure = [page, ...found].find(({ ok }) => !ok)
    if (failure) return failure
    const choice = (row: any) => ({ value: row.ItemId, label: toLabel(row) })
    const { items, totalCount, hasNextPage } = page.data
    const rows = items.map(choice)
    const selected = found.map(({ data }, index) =>
      data ? choice(data) : { value: ids[index], label: ids[index], isMissing: true },
    )
    const others = selected.filter(({ value }) => rows.every((row: any) => row.value !== value))
    const data = {
      options: rows,
      choices: [...others, ...rows],
      selected,
      totalCount,
      pageNo,
      hasNextPage,
    }
    return { ok: true, data }
  }

/** Comparisons are case-sensitive. */
const containing: any = (fields: readonly string[], search: string) => {
  const lower = search.toLowerCase()
  const variants = new Set([search, lower, lower.charAt(0).toUpperCase() + lower.slice(1)])
  return fields.flatMap((field) => [...variants].map((contains) => ({ [field]: { contains } })))
}
