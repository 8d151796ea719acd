import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'
import { addJob } from '../queue/queue.ts'

interface LoggedAttempt {
  readonly at: string
  readonly url: string
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

/** Webhook that was, is being or will be delivered, with its attempts in order. */
export interface LoggedDelivery {
  readonly id: number
  readonly messageId: string
  readonly kind: string
  readonly state: 'pending' | 'delivered' | 'failed' | 'skipped'
  readonly createdAt: string
  /** Time of the next attempt; null if there is none. */
  readonly nextAttemptAt: string | null
  readonly body: unknown
  readonly attempts: readonly LoggedAttempt[]
}

/** Returns the deliveries of the scope's project, newest first. */
export async function readDeliveries(
  tables: Tables,
  limit: number,
): Promise<readonly LoggedDelivery[]> {
  const { rows } = await tables.execute<{ delivery: LoggedDelivery }>(sql`
    select json_build_object(
      'id', d.id, 'messageId', d.message_id, 'kind', d.kind, 'state', d.state,
      'createdAt', ${isoTime('d.created_at')},
      'nextAttemptAt', (select ${isoTime('j.run_at')} from servicekit.jobs j
        where j.kind = 'webhook' and j.for_project = d.project_id and j.subject = d.id limit 1),
      'body', d.body::json,
      'attempts', coalesce((select json_agg(json_build_object(
          'at', ${isoTime('a.made_at')}, 'url', a.url, 'status', a.status, 'error', a.error,
          'durationMs', a.duration_ms) order by a.id)
        from servicekit.attempts a where a.delivery_id = d.id), '[]')
    ) as delivery
    from servicekit.deliveries d order by d.id desc limit ${limit}::int`)
  return rows.map(({ delivery }) => delivery)
}

/**
 * Delivers again, with the same message id: an idempotent receiver processes it once.
 *
 * @returns true if the delivery exists and is not in flight.
 */
export async function replayDelivery(
  tables: Tables,
  projectId: number,
  id: number,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await tables.execute(sql`
    update servicekit.deliveries set state = 'pending'
    where id = ${id}::bigint and state <> 'pending'`)
  if (rowCount !== 1) return false
  await addJob(tables, { kind: 'webhook', projectId, subject: id, runAt: now })
  return true
}
