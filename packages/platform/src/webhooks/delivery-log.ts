import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { isoTime } from '../database/sql-parts.ts'
import { addJob } from '../queue/queue.ts'

/**
 * Returns at most `limit` deliveries of the scope's project, of one state or all, newest first,
 * or the one with an id. Their attempts are in order.
 * `nextAttemptAt` is null if there is no further attempt. The attempts of one delivery have the
 * headers of the request, the headers of the response and the beginning of its body.
 */
export async function readDeliveries(
  tables: Tables,
  { limit = 1, state, id }: { limit?: number; state?: string | undefined; id?: number },
) {
  const details = sql.raw(
    id === undefined
      ? ''
      : `, 'requestHeaders', a.request_headers, 'responseHeaders', a.response_headers,
          'responseBody', a.response_body`,
  )
  const { rows } = await tables.execute(sql`
    select json_build_object(
      'id', d.id, 'messageId', d.message_id, 'kind', d.kind, 'state', d.state,
      'createdAt', ${isoTime('d.created_at')},
      'nextAttemptAt', (select ${isoTime('j.run_at')} from servicekit.jobs j
        where j.kind = 'webhook' and j.for_project = d.project_id and j.subject = d.id limit 1),
      'body', d.body::json,
      'attempts', coalesce((select json_agg(json_build_object(
          'at', ${isoTime('a.made_at')}, 'url', a.url, 'status', a.status, 'error', a.error,
          'durationMs', a.duration_ms${details}) order by a.id)
        from servicekit.attempts a where a.delivery_id = d.id), '[]')
    ) as delivery
    from servicekit.deliveries d
    where (${id ?? null}::bigint is null or d.id = ${id ?? null}::bigint)
      and (${state ?? null}::text is null or d.state = ${state ?? null}::text)
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
