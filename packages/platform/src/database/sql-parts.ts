import { printExactJson } from '@servicekit/core/exact-json'
import { type SQL, sql } from 'drizzle-orm'

/** Rows as one JSON parameter, to select from as `u` with these columns. */
export const recordset = (rows: readonly object[], columns: string): SQL =>
  sql`json_to_recordset(${printExactJson(rows)}::json) as u (${sql.raw(columns)})`

/** Formats a timestamp column like `Date.prototype.toISOString`. */
export const isoTime = (column: string): SQL =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
