import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'

/** What a job does. */
export type JobKind = 'webhook' | 'translate'

/** A job that this process has taken. */
export interface Job {
  readonly id: number
  readonly kind: JobKind
  readonly projectId: number
  /** The number of what it is about, in a table that its kind names. */
  readonly subject: number
  /** How often it was taken, this time included. */
  readonly tries: number
}

/** When a job that is taken now may be taken by others. */
const lockedFor = (ms: number): SQL => sql`clock_timestamp() + ${ms}::float8 * interval '1 ms'`

/**
 * How long a taken job is nobody else's: a delivery, and as much again to note
 * its outcome. An instance that dies delays its jobs by that.
 */
export const lockMsOf = ({ webhooks }: Pick<ResolvedOptions, 'webhooks'>): number =>
  2 * webhooks.timeoutMs

/** A time as a parameter. */
export const instant = (date: Date): SQL => sql`${date.toISOString()}::timestamptz`

/** Adds a job in the transaction that makes what it is about. */
export async function addJob(
  tables: Tables,
  job: Pick<Job, 'kind' | 'projectId' | 'subject'> & { readonly runAt: Date },
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.jobs (kind, for_project, subject, run_at)
    values (${job.kind}, ${job.projectId}::int, ${job.subject}::bigint, ${instant(job.runAt)})`)
}

/**
 * Takes the job that is due longest, or none. Instances that ask at once take
 * different ones; a job of an instance that died is taken again after its lock.
 * Locks go by the database's clock, which all instances share; when a job is due
 * goes by the platform's, which tests hold still.
 *
 * @param lockMs how long it is nobody else's; whoever works longer keeps it.
 */
export async function takeJob(tables: Tables, now: Date, lockMs: number): Promise<Job | undefined> {
  const { rows } = await tables.execute<{
    id: string
    kind: JobKind
    for_project: number
    subject: string
    tries: number
  }>(sql`
    update servicekit.jobs set locked_until = ${lockedFor(lockMs)}, tries = tries + 1
    where id = (
      select id from servicekit.jobs
      where run_at <= ${instant(now)}
        and (locked_until is null or locked_until < clock_timestamp())
      order by run_at, id limit 1 for update skip locked
    )
    returning id, kind, for_project, subject, tries`)
  const [row] = rows
  return (
    row && {
      id: Number(row.id),
      kind: row.kind,
      projectId: row.for_project,
      subject: Number(row.subject),
      tries: row.tries,
    }
  )
}

/** Ends a job, best in the transaction that holds its outcome. */
export async function finishJob(tables: Tables, { id }: Pick<Job, 'id'>): Promise<void> {
  await tables.execute(sql`delete from servicekit.jobs where id = ${id}::bigint`)
}

/** Lets a job be taken again at a later time. */
export async function delayJob(tables: Tables, { id }: Job, runAt: Date): Promise<void> {
  await tables.execute(sql`
    update servicekit.jobs set run_at = ${instant(runAt)}, locked_until = null
    where id = ${id}::bigint`)
}

/** Keeps a job for another while. @returns whether it still is this process's. */
export async function keepJob(
  tables: Tables,
  { id, tries }: Job,
  lockMs: number,
): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.jobs set locked_until = ${lockedFor(lockMs)}
    where id = ${id}::bigint and tries = ${tries}`)
  return rowCount === 1
}

/** Frees what a process that is gone had taken; only where there can be no other one. */
export async function freeJobs(tables: Tables): Promise<void> {
  await tables.execute(sql`
    update servicekit.jobs set locked_until = null where locked_until is not null`)
}

/** When the next job can be taken, or undefined when there is none. */
export async function nextJobAt(tables: Tables, now: Date): Promise<number | undefined> {
  const { rows } = await tables.execute<{ wait: number | null }>(sql`
    select min(greatest(
      extract(epoch from run_at - ${instant(now)}),
      extract(epoch from locked_until - clock_timestamp())
    ))::float8 as wait from servicekit.jobs`)
  const wait = rows[0]?.wait ?? undefined
  return wait === undefined ? undefined : Math.max(0, wait * 1000)
}

/** How many jobs there are, and how many of them are due. */
export async function countJobs(tables: Tables, now: Date) {
  const { rows } = await tables.execute<{ all: number; due: number }>(sql`
    select count(*)::int as all, count(*) filter (where run_at <= ${instant(now)})::int as due
    from servicekit.jobs`)
  return rows[0]!
}
