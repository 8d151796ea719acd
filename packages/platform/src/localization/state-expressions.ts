import { missingPattern } from '@servicekit/contract'
import { type SQL, sql } from 'drizzle-orm'

/** Language id of a draft that removes a key in all languages. */
export const everyLanguage = 0

/** Condition for a translation that is not missing: instances store missing ones in three ways. */
export const isWritten = (column: SQL): SQL =>
  sql`(${column} is not null and ${column} <> '' and ${column} !~* ${missingPattern})`

/** Relation of one row with the source text of a key, and with its text before its first change. */
export const sourceOf = (moduleId: SQL, key: SQL): SQL => sql`(
  select servicekit.source_language() as language_id,
    servicekit.original_source(${moduleId}, ${key}) as original,
    servicekit.source_text(${moduleId}, ${key}) as value
  -- PostgreSQL would otherwise call the functions where the columns are used.
  offset 0)`

/**
 * Expression for the state of a written text or draft.
 *
 * @param row alias of the row in `texts` or `drafts`.
 * @param source alias of {@link sourceOf} of its key.
 */
export const stateFor = (row: SQL, source: SQL): SQL => {
  const former = sql`coalesce(${row}.translated_from, ${source}.original)`
  return sql`(case
    when ${former} is not null and ${former} is distinct from ${source}.value
      and ${row}.language_id <> ${source}.language_id then 'needsReview'
    when ${row}.is_reviewed then 'reviewed' else 'translated' end)`
}

/** Expression for the state of a row on its own. */
export const writtenState = (row: SQL, moduleId: SQL, key: SQL): SQL =>
  sql`(select ${stateFor(row, sql`o`)} from ${sourceOf(moduleId, key)} o)`

/** Join of the change `s` of the source text of a row `u`, if it has changed. */
export const sourceChange = sql`left join lateral (
  select s.key, s.language_id from servicekit.source_changes s where s.module_id = u."moduleId"
    and s.key = u.key and s.language_id = (select servicekit.source_language()) limit 1) s on true`

/** Expression for `translated_from` of a row `u` with {@link sourceChange} that is written now. */
export const writtenFrom = sql`(case when s.key is not null and u."languageId" <> s.language_id
  then servicekit.source_text(u."moduleId", u.key) end)`
