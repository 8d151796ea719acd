import { asc, sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import { languages as languageTable, modules as moduleTable } from '../database/tables.ts'
import { keyLanguage } from '@servicekit/contract'
import type { Project } from '../projects/project-directory.ts'
import { addJob, instant } from '../queue/jobs.ts'
import type { Services } from '../services.ts'

/** Options of an auto-translation job. */
export interface TranslationWish {
  /** Codes of the languages to fill; all except the source by default. */
  readonly languages?: readonly string[] | undefined
  /** Names of the modules; all by default. */
  readonly modules?: readonly string[] | undefined
  /** Language to translate from; the project's default by default. */
  readonly source?: string | undefined
  /** Minimum confidence of an accepted suggestion, between 0 and 1; 0.9 by default. */
  readonly minConfidence?: number | undefined
  /** Publishes the drafts at the end; false by default. */
  readonly publish?: boolean | undefined
}

/** Job options with all defaults resolved, as they are stored. */
export interface TranslationRequest {
  readonly source: string
  readonly languages: readonly string[]
  readonly modules: readonly string[]
  /** Id of the one requested module, or null. */
  readonly moduleId: string | null
  readonly minConfidence: number
  readonly publish: boolean
}

/** Job with its progress: processed translations are filled or unanswered. */
export interface TranslationJob {
  readonly itemId: string
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  readonly total: number
  readonly filled: number
  readonly unanswered: number
  readonly error: string | null
  readonly createdAt: string
  readonly finishedAt: string | null
  readonly request: TranslationRequest
}

/** Starts a job and returns before it runs. */
export async function startTranslation(
  { database, options, queue }: Services,
  project: Project,
  wish: TranslationWish,
): Promise<TranslationJob | { readonly fault: string }> {
  const started = await database.scoped(project.id, async (tables) => {
    const request = await requestOf(tables, wish)
    if ('fault' in request) return request
    const itemId = options.newId()
    const { rows } = await tables.execute<{ id: string }>(sql`
      insert into servicekit.translations (project_id, item_id, request, created_at)
      values (${project.id}::int, ${itemId}, ${JSON.stringify(request)}, ${instant(options.now())})
      returning id`)
    const subject = Number(rows[0]!.id)
    const runAt = options.now()
    await addJob(tables, { kind: 'translate', projectId: project.id, subject, runAt })
    const [job] = await readTranslations(tables, itemId)
    return job!
  })
  queue.wake()
  return started
}

async function requestOf(
  tables: Tables,
  { languages, modules, source, minConfidence = 0.9, publish = false }: TranslationWish,
): Promise<TranslationRequest | { readonly fault: string }> {
  const known = await tables.select().from(languageTable).orderBy(asc(languageTable.position))
  const allModules = await tables.select().from(moduleTable).orderBy(asc(moduleTable.position))
  const from = source ?? (known.find(({ isDefault }) => isDefault) ?? known[0])?.code
  if (from === undefined) return { fault: 'The project has no language.' }
  const others = known
    .map(({ code }) => code)
    .filter((code) => code !== from && code !== keyLanguage)
  const wanted = languages ?? others
  const missing = [from, ...wanted].find((code) => !known.some((one) => one.code === code))
  if (missing !== undefined) return { fault: `The project has no language ${missing}.` }
  const names = modules ?? allModules.map(({ name }) => name)
  const unknown = names.find((name) => !allModules.some((one) => one.name === name))
  if (unknown !== undefined) return { fault: `The project has no module ${unknown}.` }
  const only = names.length === 1 ? allModules.find(({ name }) => name === names[0]) : undefined
  return {
    source: from,
    languages: wanted.filter((code) => others.includes(code)),
    modules: names,
    moduleId: only?.itemId ?? null,
    minConfidence,
    publish,
  }
}

/** Returns the jobs of the scope's project, or one of them, newest first. */
export async function readTranslations(
  tables: Tables,
  itemId?: string,
): Promise<readonly TranslationJob[]> {
  const { rows } = await tables.execute<TranslationJob & Record<string, unknown>>(sql`
    select item_id as "itemId", state, total, filled, unanswered, error, request,
      to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
      to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finishedAt"
    from servicekit.translations
    ${itemId === undefined ? sql`` : sql`where item_id = ${itemId}`}
    order by id desc limit 100`)
  return rows
}

/**
 * Stops a job after its current chunk.
 * @returns whether the job exists and had not ended.
 */
export function cancelTranslation(
  database: Database,
  project: Project,
  itemId: string,
  now: Date,
): Promise<boolean> {
  return database.scoped(project.id, async (tables) => {
    const { rowCount } = await tables.execute(sql`
      update servicekit.translations set state = 'cancelled', finished_at = ${instant(now)}
      where item_id = ${itemId} and state in ('waiting', 'running')`)
    return rowCount === 1
  })
}
