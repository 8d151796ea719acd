import { isObject, parseJson } from '@servicekit/core'
import { parseExactJson, printExactJson } from '@servicekit/core/exact-json'
import { type Filter, type ListState, operatorsOf } from './record-query.ts'
import type { RecordSchema } from './schema-catalog.ts'

/** Reads filters, order and page from the address; leaves out what the schema does not have. */
export function readListState(query: URLSearchParams, { fields }: RecordSchema): ListState {
  const given = parseJson(query.get('filters') ?? '[]', parseExactJson)
  const filters = (Array.isArray(given) ? given : []).filter((one): one is Filter => {
    const field = isObject(one) && fields.find(({ name }) => name === one['field'])
    return Boolean(field) && operatorsOf(field as never).includes(String((one as Filter).operator))
  })
  const [, sign, name] = /^(-?)(.+)$/.exec(query.get('sort') ?? '') ?? []
  const sorted = fields.find((field) => field.name === name && field.filter !== undefined)
  const page = Number(query.get('page') ?? 1)
  return {
    filters,
    sort: sorted && { field: sorted.name, isDescending: sign === '-' },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  }
}

/** Writes filters, order and page for the address. */
export const writeListState = ({ filters, sort, page }: ListState): Record<string, string> => ({
  ...(filters.length > 0 && { filters: printExactJson(filters) }),
  ...(sort && { sort: `${sort.isDescending ? '-' : ''}${sort.field}` }),
  ...(page > 1 && { page: String(page) }),
})

/** Returns the query of the list of records that have this value. */
export const withValue = (field: string, value: unknown): Record<string, string> =>
  writeListState({ filters: [{ field, operator: 'eq', value }], sort: undefined, page: 1 })
