import { and, type AnyColumn, Column, eq, ilike, is, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgSelect, PgTable } from 'drizzle-orm/pg-core'
import type { Tables } from './database.ts'

/** Page of a list; `first` is the number of the first page. */
export interface PageRequest {
  readonly page: number
  readonly pageSize: number
  readonly first: 0 | 1
  readonly sort?: { readonly property: string; readonly isDescending: boolean } | null | undefined
}

/**
 * Reads a page of the rows of a query that match a condition, and counts all of them.
 *
 * @param table whose `seq`, the insertion order, is the default order and the tie-breaker.
 * @param sortable columns by property, case-insensitive; other properties are ignored.
 */
export async function readPage<Q extends PgSelect>(
  tables: Tables,
  query: Q,
  table: PgTable & { readonly seq: PgColumn; readonly projectId: PgColumn },
  condition: SQL | undefined,
  { page, pageSize, first, sort }: PageRequest,
  sortable: Readonly<Record<string, AnyColumn | SQL>>,
) {
  const where = and(eq(table.projectId, tables.projectId), condition)
  const property = sort?.property.toLowerCase()
  const column = Object.entries(sortable).find(([name]) => name.toLowerCase() === property)?.[1]
  const direction = sort?.isDescending ? sql`desc` : sql`asc`
  const nulls = sort?.isDescending ? sql`nulls last` : sql`nulls first`
  // Only for columns that have nulls: indexes have another order.
  const order = is(column, Column) && column.notNull ? direction : sql`${direction} ${nulls}`
  const rows = await query
    .where(where)
    .orderBy(...(column ? [sql`${column} ${order}`] : []), table.seq)
    .limit(pageSize)
    .offset((page - first) * pageSize)
  return { rows, totalCount: await tables.$count(table, where) }
}

/** Case-insensitive substring condition; undefined without a search string. */
export const contains = (
  column: AnyColumn | SQL,
  text: string | null | undefined,
): SQL | undefined =>
  text ? ilike(column, `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`) : undefined
