import type { Core } from '@servicekit/client/core'
import { EXPORT_CHANGED } from '~uilm/data'
import { ApiError } from '../state/api.ts'
import { runDocument } from './gateway.ts'
import {
  argumentsOf,
  type DataRecord,
  type Filter,
  type ListState,
  pageSize,
  selectionOf,
  tableFields,
  whereOf,
} from './record-query.ts'
import type { RecordSchema } from './schema-catalog.ts'

/**
 * Reads one page, and whether there is another. A count would read all records, so that only the
 * id of the record after the page is read.
 *
 * @throws ApiError
 */
export async function readPage(
  core: Core,
  schema: RecordSchema,
  state: ListState,
  signal: AbortSignal,
): Promise<{ readonly items: readonly DataRecord[]; readonly hasNext: boolean }> {
  const { name, query } = schema
  const document = `query Page($where: ${name}FilterInput, $order: [DynamicSortInput!], $paging: PaginationInput, $next: PaginationInput) {
    list: ${query}(where: $where, order: $order, paging: $paging) { items { ${selectionOf(tableFields(schema))} } }
    next: ${query}(where: $where, order: $order, paging: $next) { items { ItemId } }
  }`
  const next = { pageNo: state.page * pageSize + 1, pageSize: 1 }
  const found = await runDocument<Record<'list' | 'next', { items: readonly DataRecord[] }>>(
    core,
    document,
    { ...argumentsOf(state), next },
    signal,
  )
  return { items: found.list.items, hasNext: found.next.items.length > 0 }
}

/** Reads records with all their fields. @throws ApiError */
export async function readRecords(
  core: Core,
  { name, query, fields }: RecordSchema,
  ids: readonly string[],
): Promise<readonly DataRecord[]> {
  const document = `query Records($where: ${name}FilterInput, $paging: PaginationInput) {
    list: ${query}(where: $where, paging: $paging) { items { ${selectionOf(fields)} } }
  }`
  const variables = {
    where: { ItemId: { in: ids } },
    paging: { pageNo: 1, pageSize: Math.max(1, ids.length) },
  }
  const found = await runDocument<{ list: { items: readonly DataRecord[] } }>(
    core,
    document,
    variables,
  )
  return found.list.items
}

/** Counts the records that match filters. @throws ApiError */
export async function countRecords(
  core: Core,
  { name, query }: RecordSchema,
  filters: readonly Filter[],
): Promise<number> {
  const document = `query Count($where: ${name}FilterInput) {
    list: ${query}(where: $where) { totalCount }
  }`
  const where = whereOf(filters)
  const variables = where ? { where } : {}
  const found = await runDocument<{ list: { totalCount: number } }>(core, document, variables)
  return found.list.totalCount
}

/** Number of records per request of an export, whose cost is limited. */
const exportSize = 100

/**
 * Reads all records that match the filters of a list, in its order, with all their fields.
 *
 * @throws ApiError also if records changed meanwhile, so that some may be missing.
 */
export async function readAllRecords(
  core: Core,
  schema: RecordSchema,
  list: ListState,
): Promise<readonly DataRecord[]> {
  const { name, query, fields } = schema
  const document = `query Export($where: ${name}FilterInput, $order: [DynamicSortInput!], $paging: PaginationInput) {
    list: ${query}(where: $where, order: $order, paging: $paging) { items { ${selectionOf(fields)} } }
  }`
  const records = new Map<string, DataRecord>()
  for (let pageNo = 1; ; pageNo++) {
    const variables = { ...argumentsOf(list), paging: { pageNo, pageSize: exportSize } }
    const found = await runDocument<{ list: { items: readonly DataRecord[] } }>(
      core,
      document,
      variables,
    )
    for (const record of found.list.items) records.set(record.ItemId, record)
    if (found.list.items.length < exportSize) break
  }
  if ((await countRecords(core, schema, list.filters)) !== records.size) {
    throw new ApiError(-1, EXPORT_CHANGED())
  }
  return [...records.values()]
}
