import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'

/** Kind of work that a job does. */
export type JobKind = 'webhook' | 'translate'

/** Job that this process has taken. */
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
  tables: Tables,
  job: Pick<Job, 'kind' | 'projectId' | 'subject'> & { readonly runAt: Date },
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.jobs (kind, for_project, subject, run_at)
    values (${job.kind}, ${job.projectId}, ${job.subject}, ${job.runAt})`)
}

/**
 * Takes the job that has been due longest, if any. Concurrent instances take different
 * jobs; a job of an instance that died is taken again after its lock expires. Locks use the
 * database's clock, which all instances share; due times use the platform's clock, which
 * tests can freeze.
 *
 * @param lockMs how long the job stays locked; a handler that takes longer extends the
 * lock.
 */
export async function takeJob(tables: Tables, now: Date, lockMs: number): Promise<Job | undefined> {
  const { rows } = await tables.execute<Job & Record<string, unknown>>(sql`
    update servicekit.jobs set locked_until = ${lockedFor(lockMs)}, tries = tries + 1
    where id = (
      select id from servicekit.jobs
      where run_at <= ${now}
        and (locked_until is null or locked_until < clock_timestamp())
      order by run_at, id limit 1 for update skip locked
    )
    returning id::float8, kind, for_project as "projectId", subject::float8, tries`)
  return rows[0]
}

/** Ends a job, preferably in the transaction that records its outcome. */
export async function finishJob(tables: Tables, { id }: Pick<Job, 'id'>): Promise<void> {
  await tables.execute(sql`delete from servicekit.jobs where id = ${id}`)
}

/** Releases a job so that it is taken again at a later time. */
export async function delayJob(tables: Tables, { id }: Job, runAt: Date): Promise<void> {
  await tables.execute(sql`
    update servicekit.jobs set run_at = ${runAt}, locked_until = null
    where id = ${id}`)
}

/** Extends the lock of a job. @returns whether this process still holds it. */
export async function keepJob(
  tables: Tables,
  { id, tries }: Job,
  lockMs: number,
): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.jobs set locked_until = ${lockedFor(lockMs)}
    where id = ${id} and tries = ${tries}`)
  return rowCount === 1
}

/** Releases the jobs of a process that died, for an embedded database. */
export async function releaseJobs(tables: Tables): Promise<void> {
  await tables.execute(sql`
    update servicekit.jobs set locked_until = null where locked_until is not null`)
}

/** Returns the time in ms until a job can be taken; Infinity if there is none. */
export async function nextJobIn(tables: Tables, now: Date): Promise<number> {
  const { rows } = await tables.execute<{ seconds: number | null }>(sql`
    select min(greatest(
      extract(epoch from run_at - ${now}::timestamptz),
      extract(epoch from locked_until - clock_timestamp())
    ))::float8 as seconds from servicekit.jobs`)
  return Math.max(0, (rows[0]?.seconds ?? Infinity) * 1000)
}

/** Counts all jobs and those that are due. */
export async function countJobs(tables: Tables, now: Date) {
  const { rows } = await tables.execute<{ all: number; due: number }>(sql`
    select count(*)::int as all, count(*) filter (where run_at <= ${now})::int as due
    from servicekit.jobs`)
  return rows[0]!
}
