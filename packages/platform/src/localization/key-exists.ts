import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { recordset } from '../database/sql-parts.ts'
import { NotFound } from '../domain-errors.ts'
import { everyLanguage } from './state-expressions.ts'

/** Condition for a key with drafts: false if they remove it, null if there are none. */
export const isKeyDrafted = (moduleId: SQL, key: SQL): SQL => sql`(
  select bool_and(d.language_id <> ${everyLanguage}) from servicekit.drafts d
  where d.module_id = ${moduleId} and d.key = ${key})`

/** Condition for a key that is served. The limit makes PostgreSQL look it up. */
export const isKeyServed = (moduleId: SQL, key: SQL): SQL => sql`coalesce((
  select true from servicekit.keys k
  where k.module_id = ${moduleId} and k.key = ${key} limit 1), false)`

/** Condition for a key that is served or drafted. A pending removal counts as done. */
export const keyExists = (moduleId: SQL, key: SQL): SQL =>
  sql`coalesce(${isKeyDrafted(moduleId, key)}, ${isKeyServed(moduleId, key)})`

/** Key, by its module's id. */
export interface FoundKey {
  readonly moduleId: number
  readonly key: string
}

/** Finds keys by their module's name. @throws NotFound */
export async function findKeys(
  tables: Tables,
  keys: readonly { readonly module: string; readonly key: string }[],
): Promise<readonly FoundKey[]> {
  const { rows } = await tables.execute<FoundKey & Record<string, unknown>>(sql`
    select distinct m.id as "moduleId", u.key, (m.id is not null
      and ${keyExists(sql`m.id`, sql`u.key`)}) as "isKnown"
    from ${recordset(keys, 'module text, key text')}
    left join servicekit.modules m on m.name = u.module`)
  const unknown = rows.find((row) => row['isKnown'] !== true)
  if (unknown) throw new NotFound(`There is no key ${unknown.key}.`)
  return rows.map(({ moduleId, key }) => ({ moduleId, key }))
}
