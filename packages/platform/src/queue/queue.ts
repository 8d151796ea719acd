import { type SQL, sql } from 'drizzle-orm'
import { runAs } from '../database/actor.ts'
import type { Database, Unscoped } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'

type JobKind = 'webhook' | 'translate' | 'mail' | 'upload'

export interface Job {
  readonly id: number
  readonly kind: JobKind
  readonly projectId: number
  /** Id of the row that the job is about, in the table of its kind. */
  readonly subject: number
  /** Number of attempts, including this one. */
  readonly tries: number
}

/** Time until which a job that is taken now is locked. */
const lockedFor = (ms: number): SQL => sql`clock_timestamp() + ${ms}::float8 * interval '1 ms'`

/**
 * Returns how long a taken job stays locked: the time for a delivery, twice, so that its
 * outcome can be recorded. When an instance dies, its jobs are delayed by this time.
 */
export const lockMsOf = ({ webhooks }: Pick<ResolvedOptions, 'webhooks'>): number =>
  2 * webhooks.timeoutMs

/** Adds a job, in the transaction that creates its subject. */
export async function addJob(
  tables: Unscoped,
  job: Pick<Job, 'kind' | 'projectId' | 'subject'> & { readonly runAt: Date },
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.jobs (kind, for_project, subject, run_at)
    values (${job.kind}, ${job.projectId}, ${job.subject}, ${job.runAt})`)
}

/**
 * Takes the job that has been due longest, if any. Concurrent instances take different jobs; a job
 * of an instance that died is taken again after its lock expires. Locks use the database's clock,
 * which all instances share; due times use the platform's clock, which tests can freeze.
 *
 * @param lockMs how long the job stays locked; a handler that takes longer extends the lock.
 */
async function takeJob(
  tables: Unscoped,
  now: Date,
  lockMs: number,
  excluded: readonly JobKind[],
): Promise<Job | undefined> {
  const { rows } = await tables.execute<Job & Record<string, unknown>>(sql`
    update servicekit.jobs set locked_until = ${lockedFor(lockMs)}, tries = tries + 1
    where id = (
      select id from servicekit.jobs
      where run_at <= ${now}
        and (locked_until is null or locked_until < clock_timestamp())
        and ${isNot(excluded)}
      order by run_at, id limit 1 for update skip locked
    )
    returning id::float8, kind, for_project as "projectId", subject::float8, tries`)
  return rows[0]
}

const isNot = (kinds: readonly JobKind[]): SQL =>
  sql`kind <> all(array[${sql.join(kinds.map((kind) => sql`${kind}`))}]::text[])`

/** Ends a job, preferably in the transaction that records its outcome. */
export async function finishJob(tables: Unscoped, { id }: Pick<Job, 'id'>): Promise<void> {
  await tables.execute(sql`delete from servicekit.jobs where id = ${id}`)
}

/** Releases a job so that it is taken again at a later time. */
export async function delayJob(tables: Unscoped, { id }: Job, runAt: Date): Promise<void> {
  await tables.execute(sql`
    update servicekit.jobs set run_at = ${runAt}, locked_until = null
    where id = ${id}`)
}

/** Extends the lock of a job. @returns true if this process still holds it. */
export async function keepJob(
  tables: Unscoped,
  { id, tries }: Job,
  lockMs: number,
): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.jobs set locked_until = ${lockedFor(lockMs)}
    where id = ${id} and tries = ${tries}`)
  return rowCount === 1
}

/** Releases the jobs of a process that died, for an embedded database. */
async function releaseJobs(tables: Unscoped): Promise<void> {
  await tables.execute(sql`
    update servicekit.jobs set locked_until = null where locked_until is not null`)
}

/** Returns the time in ms until a job can be taken; Infinity if there is none. */
async function nextJobIn(
  tables: Unscoped,
  now: Date,
  excluded: readonly JobKind[],
): Promise<number> {
  const { rows } = await tables.execute<{ seconds: number | null }>(sql`
    select least(
      extract(epoch from (
        select min(run_at) from servicekit.jobs where locked_until is null and ${isNot(excluded)}
      ) - ${now}::timestamptz),
      (select min(greatest(
        extract(epoch from run_at - ${now}::timestamptz),
        extract(epoch from locked_until - clock_timestamp())
      )) from servicekit.jobs where locked_until is not null and ${isNot(excluded)})
    )::float8 as seconds`)
  return Math.max(0, (rows[0]?.seconds ?? Infinity) * 1000)
}

export async function countJobs(tables: Unscoped, now: Date) {
  const { rows } = await tables.execute<{ all: number; due: number }>(sql`
    select count(*)::int as all, count(*) filter (where run_at <= ${now})::int as due
    from servicekit.jobs`)
  return rows[0]!
}

/** Handles a job, and finishes or delays it in the transaction that records its outcome. */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>

/** Processes jobs of the database, together with all other instances. */
export type Queue = ReturnType<typeof queueOf>

const maxRunning = 4
/** Jobs that look for uploads leave half of the places free, because their storage may be slow. */
const maxUploads = 2
/** Interval in ms of polls for jobs of other instances, and of polls after a failed one. */
const pollMs = 5000
/** Delay in ms before retrying a job whose handler threw. */
const retryDelayMs = 30_000
/** Longest delay of a timer in ms. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Creates a queue that stays idle until it is woken. Not pg-boss: version 12 needs Node 22.12,
 * and it uses the clock of the database, which `clock` cannot freeze.
 */
export function queueOf(
  database: Database,
  options: ResolvedOptions,
  handlers: Readonly<Record<JobKind, () => JobHandler>>,
) {
  const { unscoped } = database
  const { clock, trace, onError } = options
  const lockMs = lockMsOf(options)
  const isShared = database.engine === 'postgresql'
  const ending = new AbortController()
  const running = new Map<Promise<void>, JobKind>()
  let looking: Promise<void> | undefined
  let lookAgain = false
  let timer: NodeJS.Timeout | undefined
  let isReleased = isShared

  const work = async (job: Job): Promise<void> => {
    try {
      const handle = handlers[job.kind]()
      const attributes = { 'servicekit.job': job.kind, 'servicekit.tries': job.tries }
      const actor = { actor: 'job', operation: job.kind }
      await runAs(actor, () => trace('job', attributes, () => handle(job, ending.signal)))
    } catch (error) {
      const isEnding = ending.signal.aborted
      if (!isEnding) onError(error as Error)
      const runAt = new Date(clock.now().getTime() + (isEnding ? 0 : retryDelayMs))
      await delayJob(unscoped, job, runAt).catch(() => {})
    }
  }
  const wakeAfter = (ms: number): void => {
    clearTimeout(timer)
    if (!ending.signal.aborted) timer = setTimeout(wake, Math.min(ms, maxTimerMs)).unref()
  }
  const excluded = (): readonly JobKind[] =>
    [...running.values()].filter((kind) => kind === 'upload').length < maxUploads ? [] : ['upload']
  /** Starts due jobs, and schedules the next look. */
  const look = async (): Promise<void> => {
    if (!isReleased) await releaseJobs(unscoped)
    isReleased = true
    while (running.size < maxRunning && !ending.signal.aborted) {
      const job = await takeJob(unscoped, clock.now(), lockMs, excluded())
      if (!job) break
      const done = work(job).finally(() => {
        running.delete(done)
        wake()
      })
      running.set(done, job.kind)
    }
    const isFree = running.size < maxRunning
    const wait = isFree ? await nextJobIn(unscoped, clock.now(), excluded()) : Infinity
    // A frozen clock does not reach future jobs by itself, but wakes the queue when it advances.
    const ownWait = wait > 0 && clock.isFrozen ? Infinity : Math.max(wait, 10)
    const nextLook = Math.min(ownWait, isShared ? pollMs : Infinity)
    if (nextLook < Infinity) wakeAfter(nextLook)
  }
  const wake = (): void => {
    if (ending.signal.aborted) return
    lookAgain = true
    looking ??= (async () => {
      while (lookAgain && !ending.signal.aborted) {
        lookAgain = false
        await look().catch((error: Error) => {
          if (!ending.signal.aborted) onError(error)
          wakeAfter(pollMs)
        })
      }
      looking = undefined
    })()
  }
  const stopClock = clock.onAdvance(() => wake())

  const pending = (): readonly Promise<void>[] => [...running.keys(), ...(looking ? [looking] : [])]
  const idle = async (): Promise<void> => {
    while (pending().length > 0) await Promise.all(pending())
  }
  return {
    /** Looks for due jobs; call it after a transaction that added one. */
    wake,
    wakeAfter,
    /** Resolves when no job is due and none is running here. */
    idle,
    /** Aborts jobs in flight; they run again later, here or on another instance. */
    close: async (): Promise<void> => {
      ending.abort()
      stopClock()
      clearTimeout(timer)
      await idle()
    },
  }
}
