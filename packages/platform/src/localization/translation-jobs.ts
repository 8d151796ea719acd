import { keyLanguage } from '@servicekit/contract'
import { asc, sql } from 'drizzle-orm'
import { z } from 'zod'
import { httpError } from '../control/control-call.ts'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'
import { languages as languageTable, modules as moduleTable } from '../database/tables.ts'
import type { Project } from '../projects/project-directory.ts'
import { addJob } from '../queue/queue.ts'
import type { Services } from '../services.ts'

export const TranslationOptions = z.strictObject({
  /** Codes of the languages to fill; all except the source by default. */
  languages: z.array(z.string()).optional(),
  /** Names of the modules; all by default. */
  modules: z.array(z.string()).optional(),
  /** Language to translate from; the project's default by default. */
  source: z.string().optional(),
  /** Minimum confidence of an accepted suggestion. */
  minConfidence: z.number().min(0).max(1).default(0.9),
  /** Publishes the drafts at the end. */
  publish: z.boolean().default(false),
})

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

/**
 * Starts a job and returns before it runs.
 *
 * @throws HTTPException 400 for an unknown language or module.
 */
export async function startTranslation(
  { database, options, queue }: Services,
  project: Project,
  jobOptions: z.infer<typeof TranslationOptions>,
): Promise<TranslationJob> {
  const job = await database.scoped(project.id, async (tables) => {
    const request = await resolveRequest(tables, jobOptions)
    const itemId = options.newId()
    const now = options.now()
    const { rows } = await tables.execute<{ id: string }>(sql`
      insert into servicekit.translations (project_id, item_id, request, created_at)
      values (${project.id}::int, ${itemId}, ${JSON.stringify(request)}, ${now})
      returning id`)
    const subject = Number(rows[0]!.id)
    await addJob(tables, { kind: 'translate', projectId: project.id, subject, runAt: now })
    return (await readTranslations(tables, itemId))[0]!
  })
  queue.wake()
  return job
}

async function resolveRequest(
  tables: Tables,
  { languages, modules, source, minConfidence, publish }: z.infer<typeof TranslationOptions>,
): Promise<TranslationRequest> {
  const allLanguages = await tables
    .select()
    .from(languageTable)
    .orderBy(asc(languageTable.position))
  const allModules = await tables.select().from(moduleTable).orderBy(asc(moduleTable.position))
  const codes = allLanguages.map(({ code }) => code)
  const names = allModules.map(({ name }) => name)
  const from = source ?? allLanguages.find(({ isDefault }) => isDefault)?.code ?? codes[0]
  if (from === undefined) throw httpError(400, 'The project has no language.')
  const targets = languages ?? codes
  for (const code of [from, ...targets]) {
    if (!codes.includes(code)) throw httpError(400, `The project has no language ${code}.`)
  }
  const requested = modules ?? names
  for (const name of requested) {
    if (!names.includes(name)) throw httpError(400, `The project has no module ${name}.`)
  }
  const only = requested.length === 1 ? requested[0] : undefined
  return {
    source: from,
    languages: targets.filter((code) => code !== from && code !== keyLanguage),
    modules: requested,
    moduleId: allModules.find(({ name }) => name === only)?.itemId ?? null,
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
      ${isoTime('created_at')} as "createdAt", ${isoTime('finished_at')} as "finishedAt"
    from servicekit.translations
    ${itemId === undefined ? sql`` : sql`where item_id = ${itemId}`}
    order by id desc limit 100`)
  return rows
}

/**
 * Stops a job after its current translation.
 * @returns true if the job existed and had not ended.
 */
export async function cancelTranslation(
  tables: Tables,
  itemId: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.translations set state = 'cancelled', finished_at = ${now}
    where item_id = ${itemId} and state in ('waiting', 'running')`)
  return rowCount === 1
}
