import type { tasks as contract } from '@servicekit/contract/control'
import { tasks } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { authorName } from './comments.ts'
import { keyExists } from './key-exists.ts'
import { isWritten, sourceOf, stateFor, writtenState } from './state-expressions.ts'
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

/** Condition for languages `l` other than the source language, whose texts need no review. */
function isOneOf(codes: LanguageCodes): SQL {
  if (codes === 'all') return sql`l.id <> servicekit.source_language()`
  if (codes.size === 0) return sql`false`
  return sql`(l.id <> servicekit.source_language()
    and l.code = any(${sql.param([...codes])}::text[]))`
}

/** Queries for what waits for a person. */
const queries: Readonly<Record<contract.TaskKind, (owner: TaskOwner) => SQL>> = {
  mentions: ({ id }) => sql`
    select c.module_id, c.key, c.language_id, c.id as comment_id, null::date as due
    from servicekit.comments c
    where not c.is_resolved and ${id} = any(c.mentions)
      and ${keyExists(sql`c.module_id`, sql`c.key`)}`,
  assigned: ({ id }) => sql`
    select a.module_id, a.key, a.language_id, null::bigint as comment_id, a.due
    from servicekit.assignments a
    where a.person = ${id} and a.done_at is null
      and ${keyExists(sql`a.module_id`, sql`a.key`)}`,
  toReview: ({ reviews }) => sql`
    select d.module_id, d.key, d.language_id, null::bigint as comment_id, null::date as due
    from servicekit.drafts d join servicekit.languages l on l.id = d.language_id
    where ${isOneOf(reviews)} and ${isWritten(sql`d.value`)}
      and ${writtenState(sql`d`, sql`d.module_id`, sql`d.key`)} = 'translated'`,
  needsReview: ({ edits }) => sql`
    select u.module_id, u.key, u.language_id, null::bigint as comment_id, null::date as due
    from (
      select s.module_id, s.key, l.id as language_id
      from servicekit.source_changes s, servicekit.languages l
      where s.language_id = servicekit.source_language() and ${isOneOf(edits)}
      union
      select t.module_id, k.key, t.language_id
      from servicekit.languages l join servicekit.texts t on t.language_id = l.id
      join servicekit.keys k on k.module_id = t.module_id and k.id = t.key_id
      where t.translated_from is not null and ${isOneOf(edits)}
      union
      select d.module_id, d.key, d.language_id
      from servicekit.languages l join servicekit.drafts d on d.language_id = l.id
      where d.translated_from is not null and ${isOneOf(edits)}
    ) u
    left join lateral (select id from servicekit.keys k
      where k.module_id = u.module_id and k.key = u.key limit 1) k on true,
    lateral ${currentTranslation(sql`u.module_id`, sql`u.key`, sql`k.id`, sql`u.language_id`)} c,
    lateral ${sourceOf(sql`u.module_id`, sql`u.key`)} o
    where ${isWritten(sql`c.value`)} and ${stateFor(sql`c`, sql`o`)} = 'needsReview'`,
}

/** Query for the number of tasks, which does not look for more than the highest number. */
const countOf = (kind: contract.TaskKind, owner: TaskOwner): SQL => sql`
  select count(*)::int as total from (${queries[kind](owner)} limit ${tasks.maxTaskCount}::int) q`

/** Counts what waits for a person, by kind. */
export async function countTasks(
  tables: Tables,
  owner: TaskOwner,
): Promise<Record<contract.TaskKind, number>> {
  const counts = tasks.TaskKind.options.map(
    (kind) => sql`(${countOf(kind, owner)}) as ${sql.identifier(kind)}`,
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
  const { rows: counted } = await tables.execute<{ total: number }>(countOf(kind, owner))
  const { rows } = await tables.execute<contract.TaskRecord>(sql`
    with tasks as materialized (${queries[kind](owner)}), q as materialized (
      select t.*, m.name, m.position, l.position as language_position, l.code
      from tasks t
      join servicekit.modules m on m.id = t.module_id
      left join servicekit.languages l on l.id = t.language_id
      order by t.due, t.comment_id desc, m.position, t.key collate "C", l.position
      limit ${pageSize}::int offset ${(page - 1) * pageSize}::int
    )
    select q.name as module, q.key, q.code as language, t.value as text,
      servicekit.source_text(q.module_id, q.key) as source, q.due::text as due,
      (select json_build_object('id', c.id, 'text', c.text, 'actor', c.actor, 'author', ${authorName})
        from servicekit.comments c where c.id = q.comment_id) as comment
    from q
    left join lateral (select id from servicekit.keys k
      where k.module_id = q.module_id and k.key = q.key limit 1) k on true,
    lateral ${currentTranslation(sql`q.module_id`, sql`q.key`, sql`k.id`, sql`q.language_id`)} t
    order by q.due, q.comment_id desc, q.position, q.key collate "C", q.language_position`)
  return { totalCount: counted[0]!.total, items: rows }
}
