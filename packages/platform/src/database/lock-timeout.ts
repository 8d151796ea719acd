import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlatformError } from '../errors.ts'

/** Receives what an operator should know, for the log. */
export type OnNotice = (message: string) => void

/** Time in ms that a change of tables waits for their locks. */
const lockTimeoutMs = 1000
/** Time in ms between attempts, in which requests that have waited behind the change proceed. */
const pauseMs = 2000
/** Time in ms after which a change is given up. */
const maxMs = 10 * 60_000

/** PostgreSQL error code of a statement that has waited for a lock too long. */
const lockNotAvailable = '55P03'

/**
 * Changes tables in a transaction. While another session uses them, such as `pg_dump`, the change
 * would wait for its end and all requests would wait behind the change. It therefore waits for a
 * second only, and is repeated.
 *
 * @param name of the change, for the log.
 * @throws PlatformError `DATABASE_FAILED` if the tables are in use for ten minutes.
 */
export async function changeTables(
  client: pg.ClientBase,
  name: string,
  onNotice: OnNotice,
  change: () => Promise<void>,
): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
    try {
      await change()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if ((error as pg.DatabaseError).code !== lockNotAvailable) throw error
      const waitedMs = performance.now() - startedAt
      if (waitedMs > maxMs) throw stillInUse(name, error)
      onNotice(
        `${name} waits for other sessions that use its tables, such as a backup. It is repeated after ${pauseMs / 1000} s.`,
      )
    }
    await sleep(pauseMs)
  }
}

const stillInUse = (name: string, cause: unknown): PlatformError =>
  new PlatformError('DATABASE_FAILED', `Cannot apply ${name}: other sessions use its tables.`, {
    cause,
    help: 'Wait for the end of the backup, or find the session with `select pid, application_name, query from pg_stat_activity where xact_start is not null` and end it with `pg_terminate_backend`.',
  })
