import type { Core } from '@servicekit/client/core'
import { runDocument } from './gateway.ts'
import type { RecordField, RecordSchema } from './schema-catalog.ts'
import { systemFields } from './relations.ts'

/** Record as the gateway returns it. */
export type DataRecord = Readonly<Record<string, unknown>> & { readonly ItemId: string }

/** Condition on a field; `empty` and `filled` have no value. */
export interface Filter {
  readonly field: string
  readonly operator: string
  readonly value?: unknown
}

export interface ListState {
  readonly filters: readonly Filter[]
  readonly sort: { readonly field: string; readonly isDescending: boolean } | undefined
  /** Page number, from 1. */
  readonly page: number
}

const pageSize = 25

/** Returns the comparisons of a field. */
export function operatorsOf({ filter = '' }: RecordField): readonly string[] {
  const kind = filter.replace('OperationFilterInput', '')
  if (kind === '') return []
  const order =
    kind === 'String' ? ['contains', 'startsWith', 'endsWith'] : ['gt', 'gte', 'lt', 'lte']
  return ['eq', 'neq', ...(kind === 'Boolean' ? [] : order), 'empty', 'filled']
}

/** Returns the fields that a table shows: the id, those of the schema itself, and the last change. */
export function tableFields({ fields }: RecordSchema): readonly RecordField[] {
  const own = fields.filter(({ name }) => !systemFields.has(name))
  const named = (name: string) => fields.filter((field) => field.name === name)
  return [...named('ItemId'), ...own, ...named('LastUpdatedDate')]
}

export const isSortable = ({ filter }: RecordField): boolean => filter !== undefined

/** Returns the argument `where` of a list. */
function whereOf(filters: readonly Filter[]): Readonly<Record<string, unknown>> | undefined {
  if (filters.length === 0) return undefined
  const conditions = filters.map(({ field, operator, value }) => {
    if (operator === 'empty') return { [field]: { eq: null } }
    if (operator === 'filled') return { [field]: { neq: null } }
    return { [field]: { [operator]: value } }
  })
  return conditions.length === 1 ? conditions[0]! : { and: conditions }
}

/** Returns the arguments of a list. */
export function argumentsOf({ filters, sort, page }: ListState) {
  const where = whereOf(filters)
  return {
    ...(where && { where }),
    ...(sort && { order: [{ field: sort.field, direction: sort.isDescending ? 'DESC' : 'ASC' }] }),
    paging: { pageNo: page, pageSize },
  }
}

function selectionOf(fields: readonly RecordField[]): string {
  return fields
    .flatMap(({ name, fields: inner }) => {
      if (!inner) return [name]
      return inner.length === 0 ? [] : [`${name} { ${selectionOf(inner)} }`]
    })
    .join(' ')
}

/** Document of a list, for people who copy it. */
export const listDocument = (schema: RecordSchema): string =>
  `query List($where: ${schema.name}FilterInput, $order: [DynamicSortInput!], $paging: PaginationInput) {
  list: ${schema.query}(where: $where, order: $order, paging: $paging) { items { ${selectionOf(tableFields(schema))} } }
}`

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
