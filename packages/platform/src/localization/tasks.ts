import type { tasks as contract } from '@servicekit/contract/control'
import { tasks } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { authorName } from './comments.ts'
import { keyExists } from './key-exists.ts'
import { currentTranslation } from './states.ts'

/** Codes of languages. */
type LanguageCodes = ReadonlySet<string> | 'all'

/** Person whose tasks are read. */
export interface TaskOwner {
  readonly id: string
  /** Languages that the person may edit, or whose translations the person may review. */
  readonly edits: LanguageCodes
  readonly reviews: LanguageCodes
}

/** Condition for languages other than the source language, whose texts need no review. */
function isOneOf(codes: LanguageCodes): SQL {
  const isTranslated = sql`id <> (select servicekit.source_language())`
  if (codes === 'all') return isTranslated
  if (codes.size === 0) return sql`false`
  return sql`(${isTranslated} and code = any(${sql.param([...codes])}::text[]))`
}

/** Rows `w` that wait for a person, with their language `l`. */
interface Waiting {
  /** Condition for the languages. */
  readonly languages?: SQL
  readonly from: SQL
  readonly where: SQL
  readonly commentId?: SQL
  readonly due?: SQL
}

/** Queries for what waits for a person. */
const queries: Readonly<Record<contract.TaskKind, (owner: TaskOwner) => Waiting>> = {
  mentions: ({ id }) => ({
    from: sql`servicekit.comments w left join l on l.id = w.language_id`,
    where: sql`not w.is_resolved and ${id} = any(w.mentions)
      and ${keyExists(sql`w.module_id`, sql`w.key`)}`,
    commentId: sql`w.id`,
  }),
  assigned: ({ id }) => ({
    from: sql`servicekit.assignments w left join l on l.id = w.language_id`,
    where: sql`w.person = ${id} and w.done_at is null
      and ${keyExists(sql`w.module_id`, sql`w.key`)}`,
    due: sql`w.due`,
  }),
  toReview: ({ reviews }) => ({
    languages: isOneOf(reviews),
    from: sql`servicekit.drafts w join l on l.id = w.language_id`,
    where: sql`w.is_written and not w.is_reviewed and not w.needs_review`,
  }),
  needsReview: ({ edits }) => ({
    languages: isOneOf(edits),
    from: sql`servicekit.needed_reviews w join l on l.id = any(w.language_ids)`,
    where: sql`true`,
  }),
}

/** Common table expression of the languages of a query. */
const languagesOf = ({ languages = sql`true` }: Waiting, projectId: SQL): SQL => sql`
  l as materialized (select id, code, position from servicekit.languages
    where project_id = ${projectId} and ${languages})`

/** Query for the number of tasks, which does not look for more than the highest number. */
const countOf = (waiting: Waiting, projectId: SQL): SQL => sql`
  with ${languagesOf(waiting, projectId)}
  select count(*)::int as total from (
    select from ${waiting.from} where w.project_id = ${projectId} and ${waiting.where}
    limit ${tasks.maxTaskCount}::int) q`

/** Counts what waits for a person, by kind. */
export async function countTasks(
  tables: Tables,
  owner: TaskOwner,
): Promise<Record<contract.TaskKind, number>> {
  const projectId = sql`${tables.projectId}::int`
  const counts = tasks.TaskKind.options.map(
    (kind) => sql`(${countOf(queries[kind](owner), projectId)}) as ${sql.identifier(kind)}`,
  )
  const { rows } = await tables.execute<Record<contract.TaskKind, number>>(
    sql`select ${sql.join(counts, sql`, `)}`,
  )
  return rows[0]!
}

/** Returns a page of what waits for a person: what is due first, and the newest mention. */
export async function listTasks(
  tables: Tables,
  owner: TaskOwner,
  {
    kind,
    page,
    pageSize,
  }: { readonly kind: contract.TaskKind; readonly page: number; readonly pageSize: number },
) {
  // A value instead of the column of another table, by which PostgreSQL estimates the rows.
  const projectId = sql`${tables.projectId}::int`
  const waiting = queries[kind](owner)
  const { from, where, commentId, due } = waiting
  const { rows: counted } = await tables.execute<{ total: number }>(countOf(waiting, projectId))
  const offset = (page - 1) * pageSize
  // Without another order, the database reads the keys of a module in their order until the page is
  // full.
  const isByKey = !commentId && !due
  const ofModule = sql`
    select w.key, l.id as language_id, l.code, l.position as language_position,
      ${commentId ?? sql`null::bigint`} as comment_id, ${due ?? sql`null::date`} as due
    from ${from}
    where w.project_id = ${projectId} and w.module_id = m.id and ${where}
    ${isByKey ? sql`order by w.key collate "C", l.position limit ${offset + pageSize}::int` : sql``}`
  const order = sql`${isByKey ? sql`` : sql`q.due, q.comment_id desc,`} q.position,
    q.key collate "C", q.language_position`
  const { rows } = await tables.execute<contract.TaskRecord>(sql`
    with ${languagesOf(waiting, projectId)}, q as materialized (
      select * from (
        select m.id as module_id, m.name, m.position, w.*
        from servicekit.modules m, lateral (${ofModule}) w
        where m.project_id = ${projectId}) q
      order by ${order} limit ${pageSize}::int offset ${offset}::int
    )
    select q.name as module, q.key, q.code as language, t.value as text,
      servicekit.source_text(q.module_id, q.key) as source, q.due::text as due,
      (select json_build_object('id', c.id, 'text', c.text, 'actor', c.actor, 'author', ${authorName})
        from servicekit.comments c where c.project_id = ${projectId}
          and c.id = q.comment_id) as comment
    from q
    left join lateral (select id from servicekit.keys k where k.project_id = ${projectId}
      and k.module_id = q.module_id and k.key = q.key limit 1) k on true,
    lateral ${currentTranslation(sql`q.module_id`, sql`q.key`, sql`k.id`, sql`q.language_id`)} t
    order by ${order}`)
  return { totalCount: counted[0]!.total, items: rows }
}
