import { type AnyColumn, ilike, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgSelect } from 'drizzle-orm/pg-core'

/** Page of a list; `first` is the number of the first page. */
export interface PageRequest {
  readonly page: number
  readonly pageSize: number
  readonly first: 0 | 1
  readonly sort?: { readonly property: string; readonly isDescending: boolean } | null | undefined
}

/**
 * Adds sort order, limit and offset of a page to a query.
 *
 * @param seq insertion order: the default order, and the tie-breaker.
 * @param sortable columns by property, case-insensitive; other properties are ignored.
 */
export function withPage<Q extends PgSelect>(
  query: Q,
  seq: PgColumn,
  { page, pageSize, first, sort }: PageRequest,
  sortable: Readonly<Record<string, AnyColumn | SQL>>,
) {
  const property = sort?.property.toLowerCase()
  const column = Object.entries(sortable).find(([name]) => name.toLowerCase() === property)?.[1]
  const order = sort?.isDescending ? sql`desc nulls last` : sql`asc nulls first`
  return query
    .orderBy(sql`${column ?? seq} ${order}`, seq)
    .limit(pageSize)
    .offset((page - first) * pageSize)
}

/** Case-insensitive substring condition; undefined without a search string. */
export const contains = (
  column: AnyColumn | SQL,
  text: string | null | undefined,
): SQL | undefined =>
  text ? ilike(column, `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`) : undefined
