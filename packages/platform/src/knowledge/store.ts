import type { knowledge as wire } from '@servicekit/contract'
import type { tools as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'

export async function addQuestion(
  tables: Tables,
  projectId: number,
  { agent_id, question, answer }: wire.QuestionAnswer,
  now: Date,
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.knowledge (project_id, agent_id, question, answer, created_at)
    values (${projectId}, ${agent_id.toLowerCase()}, ${question}, ${answer}, ${now})`)
}

/**
 * Returns the best matches: questions that contain all words, or any of them if none
 * contains all. Without words, returns the newest.
 *
 * @param filter `search` has the words; quotes group a phrase, and a minus excludes a word.
 */
export async function findQuestions(
  tables: Tables,
  filter: { readonly [Name in 'agentId' | 'search']?: string | undefined },
  limit: number,
) {
  const { agentId, search } = filter
  const select = async (condition: SQL, score: SQL) => {
    const ofAgent = agentId === undefined ? sql`true` : sql`agent_id = ${agentId.toLowerCase()}`
    const { rows } = await tables.execute<contract.QuestionRecord>(sql`
      select id::int, agent_id as "agentId", question, answer,
        ${isoTime('created_at')} as "createdAt", ${score}::float8 as score
      from servicekit.knowledge where ${condition} and ${ofAgent}
      order by score desc, knowledge.id desc limit ${limit}::int`)
    return rows
  }
  if (!search) return select(sql`true`, sql`0`)
  const match = (query: SQL) => select(sql`words @@ ${query}`, sql`ts_rank_cd(words, ${query}, 1)`)
  const all = await match(sql`websearch_to_tsquery('simple', ${search})`)
  if (all.length > 0) return all
  return match(sql`replace(plainto_tsquery('simple', ${search})::text, ' & ', ' | ')::tsquery`)
}

export const removeQuestion = (tables: Tables, id: number) =>
  tables.execute(sql`delete from servicekit.knowledge where id = ${id}::bigint`)
