import { keyLanguage } from '@servicekit/contract'
import type { jobs as contract, translations } from '@servicekit/contract/control'
import { sql } from 'drizzle-orm'
import { Invalid } from '../domain-errors.ts'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'
import type { Project } from '../database/project-directory.ts'
import { addPublishEvent } from './publish-event.ts'
import { scopedAndLocked } from '../database/versions.ts'
import {
  addJob,
  delayJob,
  finishJob,
  type Job,
  type JobHandler,
  keepJob,
  lockMsOf,
} from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { outboxOf } from '../webhooks/outbox.ts'
import { readCatalog } from './catalog.ts'
import { publishDrafts, writeDrafts } from './drafts.ts'
import { isUnusedForm } from './plural-forms.ts'
import { everyLanguage, isWritten } from './state-expressions.ts'

/**
 * Starts a job and returns before it runs.
 *
 * @throws Invalid for an unknown language or module.
 */
export async function startTranslation(
  { database, options, queue }: Services,
  project: Project,
  jobOptions: contract.TranslationOptions,
) {
  const job = await database.scoped(project.id, async (tables) => {
    const suggestions = options.suggestions === 'memory' ? 'memory' : 'service'
    const request = { ...(await resolveRequest(tables, jobOptions)), suggestions }
    const itemId = options.newId()
    const now = options.now()
    const { rows } = await tables.execute<{ id: string }>(sql`
      insert into servicekit.translation_jobs (project_id, item_id, request, created_at)
      values (${project.id}::int, ${itemId}, ${JSON.stringify(request)}, ${now})
      returning id`)
    const subject = Number(rows[0]!.id)
    await addJob(tables, { kind: 'translate', projectId: project.id, subject, runAt: now })
    return (await readTranslations(tables, itemId))[0]!
  })
  queue.wake()
  return job
}

/** Job options with all defaults resolved, as they are stored. */
type TranslationRequest = Awaited<ReturnType<typeof resolveRequest>> & {
  readonly suggestions: 'memory' | 'service'
}

async function resolveRequest(
  tables: Tables,
  { languages, modules, source, minConfidence, publish }: contract.TranslationOptions,
) {
  const all = await readCatalog(tables)
  const codes = all.languages.map(({ code }) => code)
  const names = all.modules.map(({ name }) => name)
  const from = source ?? all.languages.find(({ isDefault }) => isDefault)?.code ?? codes[0]
  if (from === undefined) throw new Invalid('The project has no language.')
  const targets = languages ?? codes
  for (const code of [from, ...targets]) {
    if (!codes.includes(code)) throw new Invalid(`The project has no language ${code}.`)
  }
  const requested = modules ?? names
  for (const name of requested) {
    if (!names.includes(name)) throw new Invalid(`The project has no module ${name}.`)
  }
  const only = requested.length === 1 ? requested[0] : undefined
  return {
    source: from,
    languages: targets.filter((code) => code !== from && code !== keyLanguage),
    modules: requested,
    /** Id of the one requested module, or null. */
    moduleId: all.modules.find(({ name }) => name === only)?.itemId ?? null,
    minConfidence,
    publish,
  }
}

/**
 * Returns the jobs of the scope's project, or one of them, newest first, with their progress:
 * processed translations are filled or without a suggestion.
 */
export async function readTranslations(tables: Tables, itemId?: string) {
  const { rows } = await tables.execute<contract.TranslationJob>(sql`
    select item_id as "itemId", state, total, filled, unanswered as "withoutSuggestion",
      unsure as "belowConfidence", error, request,
      ${isoTime('created_at')} as "createdAt", ${isoTime('finished_at')} as "finishedAt"
    from servicekit.translation_jobs
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
    update servicekit.translation_jobs set state = 'cancelled', finished_at = ${now}
    where item_id = ${itemId} and state in ('waiting', 'running')`)
  return rowCount === 1
}

/** Maximum attempts of a job, and the pause between two attempts in ms. */
const maxTries = 3
const pauseMs = 5000

interface Missing {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly source: string
  readonly details: translations.KeyDetails | null
}

/** Job with its project and its row. */
interface Run {
  readonly services: Services
  readonly project: Project
  readonly job: Job
  readonly itemId: string
  readonly request: TranslationRequest
}

/**
 * Fills missing translations as drafts, one at a time. An interrupted job continues with
 * those that are still missing.
 */
export function autoTranslation(services: Services): JobHandler {
  const { database, options, projects } = services
  return async (job, signal) => {
    const project = (await projects.list()).find(({ id }) => id === job.projectId)
    const found = project && (await database.scoped(project.id, (tables) => begin(tables, job)))
    if (!project || !found) return finishJob(database.unscoped, job)
    const { missing, ...row } = found
    const run = { services, project, job, ...row }
    try {
      if (await fill(run, missing, signal)) await end(run, null)
    } catch (error) {
      if (signal.aborted) throw error
      if (job.tries < maxTries) {
        return delayJob(database.unscoped, job, new Date(options.now().getTime() + pauseMs))
      }
      options.onError(error as Error)
      await end(run, (error as Error).message)
    }
  }
}

/** Marks a job as running. @returns undefined if it was cancelled. */
async function begin(tables: Tables, { subject }: Job) {
  const { rows } = await tables.execute<{ itemId: string; request: TranslationRequest }>(sql`
    update servicekit.translation_jobs set state = 'running', unanswered = 0, unsure = 0
    where id = ${subject}::bigint and state <> 'cancelled'
    returning item_id as "itemId", request`)
  const [row] = rows
  if (!row) return undefined
  const missing = await readMissing(tables, row.request)
  await tables.execute(sql`
    update servicekit.translation_jobs set total = filled + ${missing.length}::int
    where id = ${subject}::bigint`)
  return { ...row, missing }
}

/**
 * Returns the messages that the source language has and other languages lack, drafted or served.
 */
async function readMissing(
  tables: Tables,
  { source, languages, modules }: TranslationRequest,
): Promise<readonly Missing[]> {
  const { rows } = await tables.execute<Missing & Record<string, unknown>>(sql`
    select m.name as module, k.key, k.details, l.code as language, s.value as source
    from servicekit.keys k
    join servicekit.modules m on m.id = k.module_id
    join servicekit.languages from_l on from_l.code = ${source}
    join servicekit.texts s
      on s.module_id = k.module_id and s.key_id = k.id and s.language_id = from_l.id
    join servicekit.languages l on l.code = any(${sql.param(languages)}::text[])
    where s.is_written and m.name = any(${sql.param(modules)}::text[])
      and not exists (select from servicekit.texts t where t.module_id = k.module_id
        and t.key_id = k.id and t.language_id = l.id and t.is_written)
      and not exists (select from servicekit.drafts d where d.module_id = k.module_id
        and d.key = k.key and (d.language_id = ${everyLanguage} or d.language_id = l.id and ${isWritten(sql`d.value`)}))
      and not ${isUnusedForm({ name: sql`k.key`, moduleId: sql`k.module_id` }, sql`l.code`, languages)}
    order by l.position, m.position, k.key collate "C"`)
  return rows
}

/** Drafts the missing translations. @returns false if the job was cancelled or taken over. */
async function fill(run: Run, missing: readonly Missing[], signal: AbortSignal): Promise<boolean> {
  const { services, project, request } = run
  for (const one of missing) {
    signal.throwIfAborted()
    const { suggestions } = await services.suggest(
      {
        elementType: 'text',
        elementApplicationContext: project.name,
        elementDetailContext: one.details?.context ?? `${one.module} / ${one.key}`,
        maxCharacterLength: one.details?.maxLength,
        // The memory then returns less similar texts as well, which the confidence decides about.
        temperature: request.suggestions === 'memory' ? 1 : 0,
        sourceText: one.source,
        currentLanguage: request.source,
        destinationLanguage: one.language,
      },
      project,
      signal,
    )
    const [best] = suggestions
    const isFilled = best !== undefined && best.confidence >= request.minConfidence
    const { details: _, ...id } = one
    const drafts = isFilled ? [{ ...id, value: best.translation }] : []
    const isUnsure = best !== undefined && !isFilled
    if (!(await saveProgress(run, drafts, isUnsure))) return false
  }
  return true
}

/**
 * Saves the draft of one translation, if there is one, and the job's progress. Extends the
 * lock of the job.
 *
 * @param isUnsure there is a suggestion, with less confidence than the job requires.
 * @returns false if the job was cancelled or another instance took it over.
 */
const saveProgress = (
  { services, project, job }: Run,
  drafts: readonly translations.DraftChange[],
  isUnsure: boolean,
): Promise<boolean> =>
  scopedAndLocked(services.database, project, async (tables) => {
    if (!(await keepJob(tables, job, lockMsOf(services.options)))) return false
    const { rowCount } = await tables.execute(sql`
      update servicekit.translation_jobs set filled = filled + ${drafts.length}::int,
        unanswered = unanswered + ${1 - drafts.length}::int,
        unsure = unsure + ${Number(isUnsure)}::int
      where id = ${job.subject}::bigint and state = 'running'`)
    if (rowCount !== 1) await finishJob(tables, job)
    else if (drafts.length > 0) await writeDrafts(tables, project.id, drafts)
    return rowCount === 1
  })

/** Ends a job, publishes its drafts if requested, and sends an event for each. */
async function end({ services, project, job, itemId, request }: Run, error: string | null) {
  const outbox = await scopedAndLocked(services.database, project, async (tables) => {
    const added = outboxOf(services)
    const { rowCount } = await tables.execute(sql`
      update servicekit.translation_jobs set state = ${error === null ? 'done' : 'failed'},
        error = ${error}, finished_at = ${services.options.now()}
      where id = ${job.subject}::bigint and state = 'running'`)
    await finishJob(tables, job)
    if (rowCount !== 1) return added
    // The caller asked for the translations of a machine as they are, and nobody can confirm them.
    const changed =
      error === null &&
      request.publish &&
      (await publishDrafts(tables, project.id, { isConfirmed: true })).changed
    if (changed) await addPublishEvent(services, added, project, tables, changed)
    await added.add(tables, project, {
      TranslateAllEvent: {
        ModuleId: request.moduleId,
        MessageCoRelationId: itemId,
        ProjectKey: project.key,
        DefaultLanguage: request.source,
      },
      Response: error === null,
    })
    return added
  })
  outbox.emit()
}
