import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'

/** Change of a served translation. The values are null where there was or is none. */
export type TextChange = {
  readonly at: string
  /** `user:ID`, `client:ID`, or a kind: `control`, `anonymous`, `job` or `program`. */
  readonly actor: string
  /** Email address, if the actor is a user that still exists. */
  readonly email: string | null
  readonly module: string
  readonly key: string
  readonly language: string
  readonly previous: string | null
  readonly value: string | null
}

/** Returns the last changes of the scope's translations, or of those of one key; the newest first. */
export async function readHistory(
  tables: Tables,
  limit: number,
  only?: { readonly module: string; readonly key: string },
): Promise<readonly TextChange[]> {
  const condition = only ? sql`h.module = ${only.module} and h.key = ${only.key}` : sql`true`
  const { rows } = await tables.execute<TextChange>(sql`
    select ${isoTime('h.at')} as at, h.actor, u.email, h.module, h.key, h.language,
      h.previous, h.value
    from servicekit.text_history h
    left join servicekit.users u on 'user:' || u.item_id = h.actor
    where ${condition} order by h.id desc limit ${limit}::int`)
  return rows
}
