import { sql, type SQL } from 'drizzle-orm'

/** Page of a list; `first` is the number of the first page. */
export interface PageRequest {
  readonly page: number
  readonly pageSize: number
  readonly first: 0 | 1
  readonly sort?: { readonly property: string; readonly isDescending: boolean } | null | undefined
}

/**
 * Compiles sort order, limit and offset of a page.
 *
 * @param columns columns by property, case-insensitive. Other properties sort by
 * insertion order, which is also the tie-breaker.
 */
export function pageSql(
  { page, pageSize, first, sort }: PageRequest,
  columns: Readonly<Record<string, string>>,
): SQL {
  const wanted = sort?.property.toLowerCase()
  const column = Object.entries(columns).find(([name]) => name.toLowerCase() === wanted)?.[1]
  const order = column
    ? sql.raw(`${column} ${sort?.isDescending ? 'desc nulls last' : 'asc nulls first'}, seq`)
    : sql.raw(sort?.isDescending ? 'seq desc' : 'seq')
  return sql`order by ${order} limit ${pageSize} offset ${(page - first) * pageSize}`
}

/** Combines conditions with a logical and; `true` if there are none. */
export function allOf(conditions: readonly (SQL | undefined)[]): SQL {
  const given = conditions.filter((one) => one !== undefined)
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `)
}

/** Returns a case-insensitive substring condition; undefined without a search string. */
export function contains(column: SQL, text: string | null | undefined): SQL | undefined {
  if (!text) return undefined
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`${column} ilike ${pattern}`
}

/** Timestamp as returned by a raw query. */
export type Instant = string | Date

/** Converts a timestamp of a raw query. */
export const readInstant = (value: Instant | null): Date | null =>
  value === null ? null : new Date(value)
