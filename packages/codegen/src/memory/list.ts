import type { SchemaModel } from '../model.ts'
import {
  compareValues,
  compileWhere,
  type MemoryRecord,
  valueOf,
  type Where,
} from './conditions.ts'
import { validationError } from './validation-error.ts'

export interface ListArguments {
  readonly where?: Where | null
  readonly order?:
    | readonly { readonly field: string; readonly direction?: 'ASC' | 'DESC' | null }[]
    | null
  readonly paging?: { readonly pageNo?: number | null; readonly pageSize?: number | null } | null
}

const defaultPageSize = 10
const maxOrder = 20

/**
 * Returns the page of records that a list query reads.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export function listPage(
  schema: SchemaModel,
  records: readonly MemoryRecord[],
  { where, order, paging }: ListArguments,
  maxPageSize: number,
): Readonly<Record<string, unknown>> {
  const { pageNo, pageSize } = readPaging(paging, maxPageSize)
  const matches = compileWhere(schema, where) ?? (() => true)
  const compare = comparatorOf(schema, order ?? [])
  // Stable: equal records keep insertion order.
  const found = records.filter(matches).sort(compare)
  const totalPages = Math.ceil(found.length / pageSize)
  return {
    items: found.slice((pageNo - 1) * pageSize, pageNo * pageSize),
    totalCount: found.length,
    pageNo,
    pageSize,
    totalPages,
    hasNextPage: pageNo < totalPages,
    hasPreviousPage: pageNo > 1,
  }
}

function readPaging(paging: ListArguments['paging'], maxPageSize: number) {
  const isGiven = (value: unknown): boolean => value !== null && value !== undefined
  if (paging && isGiven(paging.pageNo) !== isGiven(paging.pageSize)) {
    throw validationError('paging needs both pageNo and pageSize, or neither.')
  }
  const pageNo = paging?.pageNo ?? 1
  const pageSize = paging?.pageSize ?? Math.min(defaultPageSize, maxPageSize)
  if (pageNo < 1) throw validationError('paging.pageNo counts from 1.')
  if (pageSize < 1 || pageSize > maxPageSize) {
    throw validationError(`paging.pageSize must be between 1 and ${maxPageSize}.`)
  }
  return { pageNo, pageSize }
}

function comparatorOf({ name, fields }: SchemaModel, order: NonNullable<ListArguments['order']>) {
  if (order.length > maxOrder) throw validationError(`order has more than ${maxOrder} fields.`)
  const criteria = order.map(({ field: wanted, direction }) => {
    const field = fields.find((one) => one.name === wanted)
    if (field?.scalar === undefined || field.isArray || field.scalar.name === 'GeoJson') {
      throw validationError(`order: ${name} has no field ${JSON.stringify(wanted)} to sort by.`)
    }
    return { field, sign: direction === 'DESC' ? -1 : 1 }
  })
  return (left: MemoryRecord, right: MemoryRecord): number => {
    for (const { field, sign } of criteria) {
      const compared = compareValues(valueOf(left, field), valueOf(right, field))
      if (compared !== 0) return compared * sign
    }
    return 0
  }
}
