import { type SQL, sql } from 'drizzle-orm'
import { isoTime } from '../database/sql-parts.ts'
import type { Spend } from './cost.ts'
import {
  conditionsOf,
  type DynamicQuery,
  type ReadFilter,
  readSort,
  type SortField,
} from './dynamic-query.ts'
import { validationError } from './gateway-error.ts'
import type { TypeModel } from './model.ts'
import { properties, systemFields } from './system-fields.ts'
import { fieldSql, isInstant, type Where, whereSql } from './where.ts'

export interface ListArguments {
  readonly where?: Where | null
  readonly order?: readonly SortField[] | null
  readonly paging?: { readonly pageNo?: number | null; readonly pageSize?: number | null } | null
  readonly input?: DynamicQuery | null
}

const maxOrder = 20

const defaultPageSize = 10

/**
 * Reads the paging arguments of a list: both members of `paging` or neither. Pages count from 1.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export function readPaging({ paging, input }: ListArguments, maxPageSize: number) {
  if (paging && (paging.pageNo == null) !== (paging.pageSize == null)) {
    throw validationError('paging needs both pageNo and pageSize, or neither.')
  }
  const given = paging ?? input
  const pageNo = given?.pageNo ?? 1
  const pageSize = given?.pageSize ?? Math.min(defaultPageSize, maxPageSize)
  if (pageNo < 1) throw validationError('paging.pageNo counts from 1.')
  if (pageSize < 1 || pageSize > maxPageSize) {
    throw validationError(`paging.pageSize must be between 1 and ${maxPageSize}.`)
  }
  return { pageNo, pageSize }
}

/**
 * Compiles the conditions and the order of a list to SQL.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export function listQuery(
  type: TypeModel,
  projectId: number,
  args: ListArguments,
  { spend, readFilter }: { readonly spend: Spend; readonly readFilter: ReadFilter },
): { readonly from: SQL; readonly orderBy: SQL } {
  const where = whereSql(
    type,
    conditionsOf(type, args.where, args.input?.filter, readFilter),
    spend,
  )
  return {
    from: sql`from servicekit.records r
      where r.project_id = ${projectId} and r.schema_name = ${type.name}
        and ${where ?? sql`true`}`,
    orderBy: orderBy(type, [...(args.order ?? []), ...readSort(args.input?.sort)]),
  }
}

/** Compiles the sort order. Null sorts before all values; equal records keep insertion order. */
function orderBy(type: TypeModel, order: readonly SortField[]): SQL {
  if (order.length > maxOrder) throw validationError(`order has more than ${maxOrder} fields.`)
  const parts = order.map(({ field: name, direction }) => {
    const field = type.fields.find((one) => one.name === name)
    if (!field?.scalar || field.isArray || field.scalar === 'GeoJson' || field.scalar === 'JSON') {
      throw validationError(`order: ${type.name} has no field ${JSON.stringify(name)} to sort by.`)
    }
    const isText = field.scalar === 'String' || field.scalar === 'ID'
    const collation = isText || isInstant(field) ? sql` collate "C"` : sql``
    const sorted = direction === 'DESC' ? sql`desc nulls last` : sql`asc nulls first`
    return sql`${fieldSql(field)}${collation} ${sorted}`
  })
  return sql.join([...parts, sql`r.seq`], sql`, `)
}

const columns = sql.join(
  systemFields.map(({ name, type, column }) => {
    const value = type === 'DateTime' ? isoTime(`r.${column}`) : sql.raw(`r.${column}`)
    return sql`${value} as ${sql.identifier(name)}`
  }),
  sql`, `,
)

/** Reads the records of one page, as rows of system fields and `properties`, which are JSON. */
export const selectPage = (
  { from, orderBy }: ReturnType<typeof listQuery>,
  { pageNo, pageSize }: ReturnType<typeof readPaging>,
): SQL => sql`
  select ${columns}, r.data::text as ${sql.identifier(properties)} ${from} order by ${orderBy}
  limit ${pageSize} offset ${(pageNo - 1) * pageSize}`

/** Counts the records on all pages, as `n`. */
export const selectCount = ({ from }: ReturnType<typeof listQuery>): SQL =>
  sql`select count(*)::int as n ${from}`
