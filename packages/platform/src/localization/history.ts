import type { translations as contract } from '@servicekit/contract/control'
import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'

/**
 * Returns the last changes of the scope's translations and of their states, or of those of one key;
 * the newest first. `previous` and `value` are null where there was or is none, `email` unless the actor is a user
 * that still exists, `reason` unless translations with errors were published, `state` unless a state
 * was set.
 */
export async function readHistory(
  tables: Tables,
  limit: number,
  only?: { readonly module: string; readonly key: string },
): Promise<readonly contract.TextChange[]> {
  const condition = only ? sql`h.module = ${only.module} and h.key = ${only.key}` : sql`true`
  const { rows } = await tables.execute<contract.TextChange>(sql`
    select ${isoTime('h.at')} as at, h.actor, u.email, h.module, h.key, h.language,
      h.previous, h.value, h.reason, h.state
    from servicekit.text_history h
    -- The limit makes PostgreSQL look each user up by its primary key.
    left join lateral (select email from servicekit.users
      where h.actor like 'user:%' and item_id = substr(h.actor, 6) limit 1) u on true
    where ${condition} order by h.id desc limit ${limit}::int`)
  return rows
}
