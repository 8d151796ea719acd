import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'

/**
 * Returns the last changes of the scope's translations, or of those of one key; the newest first.
 * `previous` and `value` are null where there was or is none, `email` unless the actor is a user
 * that still exists.
 */
export async function readHistory(
  tables: Tables,
  limit: number,
  only?: { readonly module: string; readonly key: string },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const condition = only ? sql`h.module = ${only.module} and h.key = ${only.key}` : sql`true`
  const { rows } = await tables.execute(sql`
    select ${isoTime('h.at')} as at, h.actor, u.email, h.module, h.key, h.language,
      h.previous, h.value
    from servicekit.text_history h
    left join servicekit.users u on 'user:' || u.item_id = h.actor
    where ${condition} order by h.id desc limit ${limit}::int`)
  return rows
}
