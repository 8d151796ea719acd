import { missingPattern } from '@servicekit/contract'
import { type SQL, sql } from 'drizzle-orm'

/** Condition for a translation that is not missing: instances store missing ones in three ways. */
export const isWritten = (column: SQL): SQL =>
  sql`(${column} is not null and ${column} <> '' and ${column} !~* ${missingPattern})`

/**
 * Expression for the state of a written text or draft.
 *
 * @param row alias of the row in `texts` or `drafts`.
 */
export const writtenState = (row: SQL, moduleId: SQL, key: SQL): SQL =>
  sql`(case
    when ${row}.translated_from is not null
      and ${row}.translated_from is distinct from servicekit.source_text(${moduleId}, ${key})
      then 'needsReview'
    when ${row}.is_reviewed then 'reviewed' else 'translated' end)`
