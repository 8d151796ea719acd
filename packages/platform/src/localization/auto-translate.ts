import { sql } from 'drizzle-orm'
import type { Database, Tables } from '../database/database.ts'
import { recordPublication } from '../projects/publish.ts'
import type { Project } from '../projects/project-directory.ts'
import { lockProject } from '../projects/versions.ts'
import { delayJob, finishJob, instant, type Job, keepJob, lockMsOf } from '../queue/jobs.ts'
import type { JobHandler } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { outboxOf } from '../webhooks/outbox.ts'
import { publish, writeDrafts } from './drafts.ts'
import { isWritten } from './list-keys.ts'
import { readCatalogIds } from './save-catalog.ts'
import type { TranslationRequest } from './translation-jobs.ts'

/** Translations per chunk; progress is saved after each chunk. */
const chunkSize = 25
/** Maximum attempts of a job, and the pause between two attempts in ms. */
const maxTries = 3
const pauseMs = 5000

interface Missing {
  readonly module: string
  readonly key: string
  readonly language: string
  readonly source: string
}

/** Row of a translation job. */
interface Translation {
  readonly item_id: string
  readonly state: string
  readonly request: TranslationRequest
  readonly filled: number
}

/**
 * Fills missing translations as drafts, one chunk at a time. An interrupted job continues
 * with those that are still missing.
 */
export function autoTranslation(services: Services): JobHandler {
  const { database, options } = services
  return async (job, signal) => {
    const project = await projectOf(services, job)
    const found = project && (await database.scoped(project.id, (tables) => read(tables, job)))
    if (!project || !found || found.translation.state === 'cancelled') {
      return finishJob(database.unscoped, job)
    }
    try {
      await fill(services, project, job, found, signal)
    } catch (error) {
      if (signal.aborted) throw error
      if (job.tries < maxTries) {
        return delayJob(database.unscoped, job, new Date(options.now().getTime() + pauseMs))
      }
      options.onError(error as Error)
      await end(services, project, job, found.translation, (error as Error).message)
    }
  }
}

const projectOf = async ({ projects }: Services, { projectId }: Job) =>
  (await projects.list()).find(({ id }) => id === projectId)

async function read(tables: Tables, job: Job) {
  const { rows } = await tables.execute<Translation & Record<string, unknown>>(sql`
    select item_id, state, request, filled from servicekit.translations where id = ${job.subject}::bigint`)
  const [translation] = rows
  if (!translation) return undefined
  const missing = await readMissing(tables, translation.request)
  await tables.execute(sql`
    update servicekit.translations set state = 'running', unanswered = 0,
      total = filled + ${missing.length}::int
    where id = ${job.subject}::bigint and state <> 'cancelled'`)
  return { translation, missing }
}

/**
 * Returns the messages that the source language has and other languages lack, drafted or
 * served.
 */
async function readMissing(
  tables: Tables,
  { source, languages, modules }: TranslationRequest,
): Promise<readonly Missing[]> {
  const { rows } = await tables.execute<Missing & Record<string, unknown>>(sql`
    select m.name as module, k.key, l.code as language, s.value as source
    from servicekit.keys k
    join servicekit.modules m on m.id = k.module_id
    join servicekit.languages from_l on from_l.code = ${source}
    join servicekit.texts s
      on s.module_id = k.module_id and s.key_id = k.id and s.language_id = from_l.id
    join servicekit.languages l on l.code = any(${sql.param(languages)}::text[])
    where ${isWritten(sql`s.value`)} and m.name = any(${sql.param(modules)}::text[])
      and not exists (select from servicekit.texts t where t.module_id = k.module_id
        and t.key_id = k.id and t.language_id = l.id and ${isWritten(sql`t.value`)})
      and not exists (select from servicekit.drafts d where d.module_id = k.module_id
        and d.key = k.key and (d.language_id = 0 or d.language_id = l.id and ${isWritten(sql`d.value`)}))
    order by l.position, m.position, k.key collate "C"`)
  return rows
}

async function fill(
  services: Services,
  project: Project,
  job: Job,
  {
    translation,
    missing,
  }: { readonly translation: Translation; readonly missing: readonly Missing[] },
  signal: AbortSignal,
): Promise<void> {
  const { database } = services
  const suggest = await services.suggest()
  const { source, minConfidence } = translation.request
  const lockMs = lockMsOf(services.options)
  let keptAt = performance.now()
  for (let start = 0; start < missing.length; start += chunkSize) {
    const chunk = missing.slice(start, start + chunkSize)
    const drafts = []
    for (const one of chunk) {
      signal.throwIfAborted()
      // A provider may be slow, and another instance takes over a job whose lock expires.
      if (performance.now() - keptAt > lockMs / 4) {
        await keepJob(database.unscoped, job, lockMs)
        keptAt = performance.now()
      }
      const { suggestions } = await suggest(
        {
          elementType: 'text',
          elementApplicationContext: project.name,
          elementDetailContext: `${one.module} / ${one.key}`,
          temperature: 0,
          sourceText: one.source,
          currentLanguage: source,
          destinationLanguage: one.language,
        },
        project,
        signal,
      )
      const [best] = suggestions
      if (!best || best.confidence < minConfidence) continue
      drafts.push({ ...one, value: best.translation })
    }
    const unanswered = chunk.length - drafts.length
    const isOurs = await saveChunk(database, project, job, { drafts, unanswered, lockMs })
    keptAt = performance.now()
    if (!isOurs) return
  }
  await end(services, project, job, translation, null)
}

/** Result of translating one chunk. */
interface Chunk {
  readonly drafts: Parameters<typeof writeDrafts>[2]
  readonly unanswered: number
  readonly lockMs: number
}

/**
 * Saves a chunk and the job's progress.
 * @returns false when the job was cancelled or another instance took it over.
 */
const saveChunk = (
  database: Database,
  { id }: Project,
  job: Job,
  { drafts, unanswered, lockMs }: Chunk,
): Promise<boolean> =>
  database.scoped(id, async (tables) => {
    await lockProject(tables, id)
    if (!(await keepJob(tables, job, lockMs))) return false
    const { rowCount } = await tables.execute(sql`
      update servicekit.translations set filled = filled + ${drafts.length}::int,
        unanswered = unanswered + ${unanswered}::int
      where id = ${job.subject}::bigint and state = 'running'`)
    if (rowCount !== 1) {
      await finishJob(tables, job)
      return false
    }
    if (drafts.length > 0) await writeDrafts(tables, id, drafts, await readCatalogIds(tables))
    return true
  })

/** Ends a job, publishes its drafts if requested, and notifies listeners of both. */
async function end(
  services: Services,
  project: Project,
  job: Job,
  { item_id, request }: Translation,
  error: string | null,
): Promise<void> {
  const { database, options } = services
  const outbox = outboxOf(services)
  await database.scoped(project.id, async (tables) => {
    await lockProject(tables, project.id)
    const { rowCount } = await tables.execute(sql`
      update servicekit.translations set state = ${error === null ? 'done' : 'failed'},
        error = ${error}, finished_at = ${instant(options.now())}
      where id = ${job.subject}::bigint and state = 'running'`)
    await finishJob(tables, job)
    if (rowCount !== 1) return
    if (error === null && request.publish) {
      await publish(tables, project.id, recordPublication(services, outbox, project))
    }
    await outbox.add(tables, project, {
      TranslateAllEvent: {
        ModuleId: request.moduleId,
        MessageCoRelationId: item_id,
        ProjectKey: project.key,
        DefaultLanguage: request.source,
      },
      Response: error === null,
    })
  })
  outbox.emit()
}
