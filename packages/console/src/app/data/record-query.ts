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

export const pageSize = 25

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
export function whereOf(filters: readonly Filter[]): Readonly<Record<string, unknown>> | undefined {
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

/** Returns the selection of fields in a document. */
export function selectionOf(fields: readonly RecordField[]): string {
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
