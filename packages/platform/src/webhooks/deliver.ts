import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { senderTo } from '../outgoing/send.ts'
import { delayJob, finishJob, type Job, type JobHandler } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { webhookContext } from './save-webhook.ts'
import { webhooks } from '../database/tables.ts'
import { signatureHeaders } from './webhook-signature.ts'
import { decrypt } from '../secrets.ts'

type Webhook = typeof webhooks.$inferSelect

/** Number of finished deliveries in a project's log. */
const maxLogged = 500

/** Number of characters of a response that are logged. */
const maxLoggedResponse = 2048

/** Delivers webhooks: one attempt per job; each retry waits longer than the one before. */
export function webhookDelivery({ database, options, secret }: Services): JobHandler {
  const { retryDelaysMs, timeoutMs } = options.webhooks
  const send = senderTo(options.outgoing)

  const attempt = async (
    { url, contentType, headerKey, projectId, ...encrypted }: Webhook,
    { id, body }: Delivery,
    signal: AbortSignal,
  ) => {
    const platformSecret = await secret()
    const decryptAs = (kind: 'header' | 'signing', text: string) =>
      decrypt(text, platformSecret, webhookContext(projectId, kind))
    const signingSecret = decryptAs('signing', encrypted.signingSecret)
    const headerSecret = encrypted.secret === null ? null : decryptAs('header', encrypted.secret)
    if (signingSecret === undefined || headerSecret === undefined) {
      const error =
        'Cannot decrypt the secrets: SERVICEKIT_SECRET has changed since the webhook was saved. Save it again.'
      return { status: null, error }
    }
    const isSecretSent = headerSecret !== null && headerKey !== null
    const common = {
      'content-type': contentType,
      'user-agent': 'servicekit-webhooks',
      ...signatureHeaders(signingSecret, { id, at: options.now(), body }),
    }
    const headers = isSecretSent ? { ...common, [headerKey]: headerSecret } : common
    const requestHeaders = isSecretSent ? { ...common, [headerKey]: '(secret)' } : common
    try {
      const response = await send({ method: 'POST', url, headers, body, timeoutMs }, signal)
      const { status } = response
      // PostgreSQL does not store the character U+0000.
      const text = response.text.slice(0, maxLoggedResponse).replaceAll('\0', '\uFFFD')
      return { status, error: statusError(status), requestHeaders, response, text }
    } catch (error) {
      if (signal.aborted) throw error
      const { message, code } = error as NodeJS.ErrnoException
      return { status: null, error: message || (code ?? 'The connection failed.'), requestHeaders }
    }
  }

  return async (job, signal) => {
    const { webhook, delivery } = await database.scoped(
      job.projectId,
      (tables) => read(tables, job),
      { isReadOnly: true },
    )
    if (!webhook || webhook.isDisabled || !delivery) {
      return database.scoped(job.projectId, (tables) => end(tables, job, 'skipped'))
    }
    const started = performance.now()
    const result = await attempt(webhook, delivery, signal)
    const durationMs = Math.round(performance.now() - started)
    const pauseMs = retryDelaysMs[job.tries - 1]
    const now = options.now()
    await database.scoped(job.projectId, async (tables) => {
      await tables.execute(sql`
        insert into servicekit.attempts
          (project_id, delivery_id, made_at, url, status, error, duration_ms,
            request_headers, response_headers, response_body)
        values (${job.projectId}::int, ${job.subject}::bigint, ${now}, ${webhook.url},
          ${result.status}::int, ${result.error}, ${durationMs}::int,
          ${result.requestHeaders ?? null}::jsonb, ${result.response?.headers ?? null}::jsonb,
          ${result.text ?? null})`)
      if (result.error === null) return end(tables, job, 'delivered')
      if (pauseMs === undefined) return end(tables, job, 'failed')
      await delayJob(tables, job, new Date(now.getTime() + pauseMs))
    })
  }
}

interface Delivery extends Record<string, unknown> {
  readonly id: string
  readonly body: string
}

async function read(tables: Tables, job: Job) {
  const [webhook] = await tables.select().from(webhooks)
  const { rows } = await tables.execute<Delivery>(sql`
    select message_id as id, body from servicekit.deliveries where id = ${job.subject}::bigint`)
  return { webhook, delivery: rows[0] }
}

/** Ends a delivery, and occasionally deletes old finished ones. */
async function end(tables: Tables, job: Job, state: 'delivered' | 'failed' | 'skipped') {
  await tables.execute(sql`
    update servicekit.deliveries set state = ${state} where id = ${job.subject}::bigint`)
  await finishJob(tables, job)
  if (job.subject % 50 !== 0) return
  await tables.execute(sql`
    with old as (
      select id from servicekit.deliveries where state <> 'pending'
      order by id desc offset ${maxLogged}
    )
    delete from servicekit.deliveries where id in (select id from old)`)
}

function statusError(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'The receiver redirects; redirects are not followed.'
  return `The receiver responded with ${status}.`
}
