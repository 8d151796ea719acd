import { type SQL, sql } from 'drizzle-orm'
import { statementOf } from '../database/statement-sql.ts'
import type { Statement } from '../database/statement.ts'
import { validationError } from './gateway-error.ts'
import type { TypeModel } from './model.ts'
import { systemFields } from './system-fields.ts'
import { fieldSql, type Where, whereSql } from './where.ts'

/** Arguments of a list query. */
export interface ListArguments {
  readonly where?: Where | null
  readonly order?:
    | readonly {
        readonly field: string
        readonly direction?: 'ASC' | 'DESC' | null
      }[]
    | null
  readonly paging?: { readonly pageNo?: number | null; readonly pageSize?: number | null } | null
}

/** A checked page. */
export interface Page {
  readonly pageNo: number
  readonly pageSize: number
}

/** A record by the names of its fields. */
export type Row = Readonly<Record<string, unknown>>

/** Rows of a list that names no paging. */
const defaultPageSize = 10

/**
 * Reads the paging of a list: both members or neither, and pages count from 1.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export function readPage(paging: ListArguments['paging'], maxPageSize: number): Page {
  const pageNo = paging?.pageNo ?? undefined
  const pageSize = paging?.pageSize ?? undefined
  if (pageNo === undefined && pageSize === undefined) {
    return { pageNo: 1, pageSize: Math.min(defaultPageSize, maxPageSize) }
  }
  if (pageNo === undefined || pageSize === undefined) {
    throw validationError('paging needs pageNo and pageSize, or neither.')
  }
  if (pageNo < 1) throw validationError('paging.pageNo counts from 1.')
  if (pageSize < 1 || pageSize > maxPageSize) {
    throw validationError(`paging.pageSize must be between 1 and ${maxPageSize}.`)
  }
  return { pageNo, pageSize }
}

/** The part of the statement that says which records, and in which order. */
export interface ListQuery {
  readonly from: SQL
  readonly orderBy: SQL
}

/**
 * Puts the conditions and the order of a list into SQL.
 *
 * @throws GraphQLError `VALIDATION_ERROR`
 */
export function listQuery(type: TypeModel, projectId: number, args: ListArguments): ListQuery {
  const where = whereSql(type, args.where)
  return {
    from: sql`from servicekit.records r
      where r.project_id = ${projectId}::int and r.schema_name = ${type.name}
      ${where ? sql`and ${where}` : sql``}`,
    orderBy: orderBy(type, args.order ?? []),
  }
}

/** Null is below everything. Records that are equal keep the order of their making. */
function orderBy(type: TypeModel, order: NonNullable<ListArguments['order']>): SQL {
  const parts = order.map(({ field: name, direction }) => {
    const field = type.fields.find((one) => one.name === name)
    if (!field?.scalar || field.isArray || field.scalar === 'GeoJson' || field.scalar === 'JSON') {
      throw validationError(`order: ${type.name} has no field ${JSON.stringify(name)} to sort by.`)
    }
    const isText = field.scalar === 'String' || field.scalar === 'ID'
    const isInstant = field.scalar === 'DateTime' && !field.system
    const value = isText || isInstant ? sql`${fieldSql(field)} collate "C"` : fieldSql(field)
    return direction === 'DESC' ? sql`${value} desc nulls last` : sql`${value} asc nulls first`
  })
  return sql.join([...parts, sql`r.seq`], sql`, `)
}

const columns = sql.join(
  systemFields.map(({ name, type, column }) => {
    const value =
      type === 'DateTime'
        ? `to_char(r.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
        : `r.${column}`
    return sql.raw(`${value} as "${name}"`)
  }),
  sql`, `,
)

/** Reads the records of one page; {@link toRecord} makes records of its rows. */
export const pageStatement = (
  { from, orderBy }: ListQuery,
  { pageNo, pageSize }: Page,
): Statement =>
  statementOf(sql`
    select ${columns}, r.data ${from} order by ${orderBy}
    limit ${pageSize}::int offset ${(pageNo - 1) * pageSize}::bigint`)

/** A record by the names of its fields. */
export function toRecord(row: Row): Row {
  const { data, ...system } = row as Row & { data: Row }
  return { ...data, ...system }
}

/** Counts the records on all pages, as `n`. */
export const countStatement = ({ from }: ListQuery): Statement =>
  statementOf(sql`select count(*)::int as n ${from}`)
