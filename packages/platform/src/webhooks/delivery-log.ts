import type { webhook as contract } from '@servicekit/contract/control'
import { type SQL, sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'
import { addJob } from '../queue/queue.ts'

/** Returns deliveries of the scope's project, newest first, with their attempts in order. */
export async function readDeliveries(
  tables: Tables,
  { limit, state }: { readonly limit: number; readonly state?: string | undefined },
): Promise<readonly contract.Delivery[]> {
  const condition = state === undefined ? sql`true` : sql`d.state = ${state}`
  return select<contract.Delivery>(tables, condition, limit, '')
}

/**
 * Returns a delivery with the headers of the requests, the headers of the responses and the
 * beginning of their bodies.
 */
export async function readDelivery(
  tables: Tables,
  id: number,
): Promise<contract.DeliveryDetails | undefined> {
  const condition = sql`d.id = ${id}::bigint`
  const [delivery] = await select<contract.DeliveryDetails>(tables, condition, 1, details)
  return delivery
}

const details = `, 'requestHeaders', a.request_headers, 'responseHeaders', a.response_headers,
  'responseBody', a.response_body`

async function select<T>(
  tables: Tables,
  condition: SQL,
  limit: number,
  ofAttempts: string,
): Promise<readonly T[]> {
  const { rows } = await tables.execute<{ delivery: T }>(sql`
    select json_build_object(
      'id', d.id, 'messageId', d.message_id, 'kind', d.kind, 'state', d.state,
      'createdAt', ${isoTime('d.created_at')},
      'nextAttemptAt', (select ${isoTime('j.run_at')} from servicekit.jobs j
        where j.kind = 'webhook' and j.for_project = d.project_id and j.subject = d.id limit 1),
      'body', d.body::json,
      'attempts', coalesce((select json_agg(json_build_object(
          'at', ${isoTime('a.made_at')}, 'url', a.url, 'status', a.status, 'error', a.error,
          'durationMs', a.duration_ms${sql.raw(ofAttempts)}) order by a.id)
        from servicekit.attempts a where a.delivery_id = d.id), '[]')
    ) as delivery
    from servicekit.deliveries d where ${condition}
    order by d.id desc limit ${limit}::int`)
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
