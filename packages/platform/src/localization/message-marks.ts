import type { marks as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'

interface Marked {
  readonly kind: contract.MarkKind
  readonly person?: string | undefined
}

/** Queries for the marked messages, by module, key and language. */
const queries: Readonly<Record<contract.MarkKind, (person: string | undefined) => SQL>> = {
  assigned: (person) => sql`
    select m.name as module, a.key, l.code as language
    from servicekit.assignments a
    join servicekit.modules m on m.id = a.module_id
    join servicekit.languages l on l.id = a.language_id
    where a.done_at is null and ${person === undefined ? sql`true` : sql`a.person = ${person}`}`,
  comments: (person) => openComments(person && sql`c.actor = ${`user:${person}`}`),
  mentions: (person) =>
    openComments(person === undefined ? sql`c.mentions <> '{}'` : sql`${person} = any(c.mentions)`),
  changed: (person) => {
    const isOf = (actor: SQL): SQL =>
      person === undefined ? sql`true` : sql`${actor} = ${`user:${person}`}`
    return sql`
      select m.name as module, d.key, l.code as language
      from servicekit.drafts d
      join servicekit.modules m on m.id = d.module_id
      left join servicekit.languages l on l.id = d.language_id
      where ${isOf(sql`d.actor`)}
      union
      select h.module, h.key, h.language from servicekit.text_history h
      where ${isOf(sql`h.actor`)}`
  },
}

const openComments = (condition: SQL | undefined | ''): SQL => sql`
  select m.name as module, c.key, l.code as language
  from servicekit.comments c
  join servicekit.modules m on m.id = c.module_id
  left join servicekit.languages l on l.id = c.language_id
  where not c.is_resolved and ${condition || sql`true`}`

/** Returns the messages with a mark of one person, or of all, ordered by module and key. */
export async function listMessageMarks(
  tables: Tables,
  { kind, person }: Marked,
): Promise<contract.MessageMark[]> {
  const { rows } = await tables.execute<contract.MessageMark & Record<string, unknown>>(sql`
    select module, key, array_agg(distinct language) as languages
    from (${queries[kind](person)}) q
    group by module, key order by module collate "C", key collate "C"`)
  return rows
}
