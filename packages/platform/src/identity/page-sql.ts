import { sql, type SQL } from 'drizzle-orm'

/** A page of a list; `first` is the number of the first page. */
export interface PageRequest {
  readonly page: number
  readonly pageSize: number
  readonly first: 0 | 1
  readonly sort?: { readonly property: string; readonly isDescending: boolean } | null | undefined
}

/**
 * The end of a query that reads one page.
 *
 * @param columns by property, in any case; a property without one sorts by the
 * order of making, which is also what decides between equals.
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

/** All conditions that there are, joined; `true` where there is none. */
export function allOf(conditions: readonly (SQL | undefined)[]): SQL {
  const given = conditions.filter((one) => one !== undefined)
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `)
}

/** Whether a column holds a text, in any case. */
export function contains(column: SQL, text: string | null | undefined): SQL | undefined {
  if (!text) return undefined
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`${column} ilike ${pattern}`
}

/** An instant as a raw query answers it. */
export type Instant = string | Date

/** Reads an instant of a raw query. */
export const readInstant = (value: Instant | null): Date | null =>
  value === null ? null : new Date(value)
