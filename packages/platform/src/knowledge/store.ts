import type { knowledge as wire } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { instant } from '../queue/jobs.ts'

/** Question with its answer, and its search score. */
export interface FoundQuestion {
  readonly id: number
  readonly agentId: string
  readonly question: string
  readonly answer: string
  readonly createdAt: string
  readonly score: number
}

/** Adds a question with its answer to an agent's knowledge base. */
export async function addQuestion(
  tables: Tables,
  projectId: number,
  { agent_id, question, answer }: wire.QuestionAnswer,
  now: Date,
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.knowledge (project_id, agent_id, question, answer, created_at)
    values (${projectId}::int, ${agent_id.toLowerCase()}, ${question}, ${answer}, ${instant(now)})`)
}

/** Search options, within the scope's project. */
export interface QuestionSearch {
  readonly agentId?: string | undefined
  /** Words to find; quotes group a phrase, and a minus excludes a word. */
  readonly search?: string | undefined
  readonly limit: number
}

/**
 * Returns the best matches: questions that contain all words, or any of them if none
 * contains all. Without words, returns the newest.
 */
export async function findQuestions(
  tables: Tables,
  { agentId, search, limit }: QuestionSearch,
): Promise<readonly FoundQuestion[]> {
  const all = sql`websearch_to_tsquery('simple', ${search ?? ''})`
  if (!search) return select(tables, sql`true`, sql`0`, agentId, limit)
  const exact = await select(tables, sql`k.words @@ ${all}`, rankOf(all), agentId, limit)
  if (exact.length > 0) return exact
  const any = sql`replace(plainto_tsquery('simple', ${search})::text, ' & ', ' | ')::tsquery`
  return select(tables, sql`k.words @@ ${any}`, rankOf(any), agentId, limit)
}

const rankOf = (query: ReturnType<typeof sql>) => sql`ts_rank_cd(k.words, ${query}, 1)`

async function select(
  tables: Tables,
  condition: ReturnType<typeof sql>,
  rank: ReturnType<typeof sql>,
  agentId: string | undefined,
  limit: number,
): Promise<readonly FoundQuestion[]> {
  const ofAgent = agentId === undefined ? sql`` : sql`and k.agent_id = ${agentId.toLowerCase()}`
  const { rows } = await tables.execute<FoundQuestion & Record<string, unknown>>(sql`
    select k.id::int, k.agent_id as "agentId", k.question, k.answer,
      to_char(k.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      ${rank}::float8 as score
    from servicekit.knowledge k where ${condition} ${ofAgent}
    order by score desc, k.id desc limit ${limit}::int`)
  return rows
}

/** Removes a question. @returns true if it existed. */
export async function removeQuestion(tables: Tables, id: number): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    delete from servicekit.knowledge where id = ${id}::bigint`)
  return rowCount === 1
}
