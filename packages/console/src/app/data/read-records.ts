import type { Core } from '@servicekit/client/core'
import { runDocument } from './gateway.ts'
import {
  argumentsOf,
  type DataRecord,
  type ListState,
  pageSize,
  selectionOf,
  tableFields,
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
