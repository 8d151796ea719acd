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
  projectId: number,
  filter: { readonly [Name in 'agentId' | 'search']?: string | undefined },
  limit: number,
) {
  const { agentId, search } = filter
  const ofAgent = agentId === undefined ? sql`true` : sql`agent_id = ${agentId.toLowerCase()}`
  const inScope = sql`project_id = ${projectId} and ${ofAgent}`
  const select = async (condition: SQL, score: SQL) => {
    const { rows } = await tables.execute<contract.QuestionRecord>(sql`
      select id::int, agent_id as "agentId", question, answer,
        ${isoTime('created_at')} as "createdAt", ${score}::float8 as score
      from servicekit.knowledge where ${inScope} and ${condition}
      order by score desc, knowledge.id desc limit ${limit}::int`)
    return rows
  }
  const match = async (query: SQL) => {
    const words = await readWords(tables, query, inScope)
    // A query without a word that must occur, such as `-return`, matches most questions.
    if (words.length === 0) return select(sql`words @@ ${query}`, sql`0`)
    const found = sql`select question_id from servicekit.question_words
      where ${inScope} and word in ${words}`
    return select(sql`id in (${found}) and words @@ ${query}`, sql`ts_rank_cd(words, ${query}, 1)`)
  }
  if (!search) return select(sql`true`, sql`0`)
  const all = await match(sql`websearch_to_tsquery('simple', ${search})`)
  if (all.length > 0) return all
  return match(sql`replace(plainto_tsquery('simple', ${search})::text, ' & ', ' | ')::tsquery`)
}

/** Questions that are counted to find out how rare a word is. */
const maxCounted = 100

/**
 * Returns words of which each question that matches a query contains at least one. If the query
 * requires all of its words, this is the one that the fewest questions contain.
 */
async function readWords(tables: Tables, query: SQL, inScope: SQL): Promise<readonly string[]> {
  const { rows } = await tables.execute<{ word: string }>(sql`
    select word from (
      select distinct replace(part[1], '''''', '''') as word
      from regexp_matches(querytree(${query}), '''((?:[^'']|'''')+)''', 'g') part
    ) required
    order by (select count(*) from (
      select from servicekit.question_words q
      where ${inScope} and q.word = required.word limit ${maxCounted}::int
    ) counted)
    limit case when querytree(${query}) like '%|%' then null else 1 end`)
  return rows.map(({ word }) => word)
}

export const removeQuestion = (tables: Tables, projectId: number, id: number) =>
  tables.execute(sql`
    delete from servicekit.knowledge where project_id = ${projectId} and id = ${id}::bigint`)
