import type { states as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { projects } from '../database/tables.ts'
import { everyLanguage, isWritten, writtenState } from './state-expressions.ts'

const draftState = writtenState(sql`d`, sql`d.module_id`, sql`d.key`)

/**
 * Condition for drafts that stay drafts while only reviewed translations are published. The source
 * text needs no review, and neither does a text that is removed.
 */
const isWithheld = sql`(d.language_id not in (${everyLanguage}, servicekit.source_language())
  and ${isWritten(sql`d.value`)} and ${draftState} <> 'reviewed')`

/** Returns the relation of the drafts that the next publication includes. */
export async function publishableDrafts(tables: Tables): Promise<SQL> {
  return (await publishesOnlyReviewed(tables))
    ? sql`(select d.* from servicekit.drafts d where not ${isWithheld})`
    : sql`servicekit.drafts`
}

/** Returns the drafts that the next publication leaves out, by module, key and language. */
export async function readWithheldDrafts(tables: Tables): Promise<contract.WithheldDraft[]> {
  if (!(await publishesOnlyReviewed(tables))) return []
  const { rows } = await tables.execute<contract.WithheldDraft>(sql`
    select m.name as module, d.key, l.code as language, ${draftState} as state
    from servicekit.drafts d
    join servicekit.modules m on m.id = d.module_id
    join servicekit.languages l on l.id = d.language_id
    where ${isWithheld} order by m.position, d.key collate "C", l.position`)
  return rows
}

/** Returns the option of the scope's project. */
async function publishesOnlyReviewed(tables: Tables): Promise<boolean> {
  const [row] = await tables
    .select({ value: projects.publishOnlyReviewed })
    .from(projects)
    .where(sql`${projects.id} = nullif(current_setting('servicekit.project', true), '')::int`)
  return row?.value === true
}
