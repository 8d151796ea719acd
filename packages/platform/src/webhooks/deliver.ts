import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { decrypt } from '../identity/secrets.ts'
import { BlockedAddressError, type OutgoingResponse, senderTo } from '../outgoing/send.ts'
import { delayJob, finishJob, instant, type Job } from '../queue/jobs.ts'
import type { JobHandler } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { webhookContext } from './save-webhook.ts'
import { signatureHeaders } from './sign.ts'
import { webhooks } from './tables.ts'

type Webhook = typeof webhooks.$inferSelect
type Delivery = { readonly message_id: string; readonly body: string }

/** Number of finished deliveries in a project's log. */
const kept = 500

/** Result of an attempt whose secrets were encrypted with another platform secret. */
const unreadable =
  'The platform has another secret (SERVICEKIT_SECRET) than when the webhook was saved. Save it once more.'

/** Attempt, as the log shows it. */
interface Attempt {
  readonly status: number | null
  readonly error: string | null
}

/** Delivers webhooks: one attempt per job; each retry waits longer than the one before. */
export function webhookDelivery({ database, options, secret: secretOf }: Services): JobHandler {
  const { retryDelaysMs, timeoutMs } = options.webhooks
  const send = senderTo(options.outgoing)

  const attempt = async (webhook: Webhook, delivery: Delivery, signal: AbortSignal) => {
    const { url, contentType, headerKey, projectId } = webhook
    const { message_id: id, body } = delivery
    try {
      const own = await secretOf()
      const signingSecret = decrypt(
        webhook.signingSecret,
        own,
        webhookContext(projectId, 'signing'),
      )
      const secret =
        webhook.secret === null
          ? null
          : decrypt(webhook.secret, own, webhookContext(projectId, 'header'))
      if (signingSecret === undefined || secret === undefined) {
        return { status: null, error: unreadable }
      }
      const headers = {
        'content-type': contentType,
        'user-agent': 'servicekit-webhooks',
        ...signatureHeaders(signingSecret, { id, at: options.now(), body }),
        ...(secret === null || headerKey === null ? {} : { [headerKey]: secret }),
      }
      const answer = await send({ method: 'POST', url, headers, body, timeoutMs }, signal)
      return { status: answer.status, error: faultOf(answer) }
    } catch (error) {
      if (signal.aborted) throw error
      return { status: null, error: reasonOf(error) }
    }
  }

  return async (job, signal) => {
    const found = await database.scoped(job.projectId, (tables) => read(tables, job), {
      isReadOnly: true,
    })
    const { webhook, delivery } = found
    if (!webhook || webhook.isDisabled || !delivery) {
      return database.scoped(job.projectId, async (tables) => {
        await end(tables, job, 'skipped')
      })
    }
    const started = performance.now()
    const outcome = await attempt(webhook, delivery, signal)
    const durationMs = Math.round(performance.now() - started)
    const pause = retryDelaysMs[job.tries - 1]
    await database.scoped(job.projectId, async (tables) => {
      await log(tables, job, webhook.url, outcome, durationMs, options.now())
      if (outcome.error === null) return end(tables, job, 'delivered')
      if (pause === undefined) return end(tables, job, 'failed')
      await delayJob(tables, job, new Date(options.now().getTime() + pause))
    })
  }
}

async function read(tables: Tables, job: Job) {
  const [webhook] = await tables.select().from(webhooks)
  const { rows } = await tables.execute<Delivery>(sql`
    select message_id, body from servicekit.deliveries where id = ${job.subject}::bigint`)
  return { webhook, delivery: rows[0] }
}

async function log(
  tables: Tables,
  { projectId, subject }: Job,
  url: string,
  { status, error }: Attempt,
  durationMs: number,
  now: Date,
): Promise<void> {
  await tables.execute(sql`
    insert into servicekit.attempts (project_id, delivery_id, made_at, url, status, error, duration_ms)
    values (${projectId}::int, ${subject}::bigint, ${instant(now)}, ${url}, ${status}::int,
      ${error}, ${durationMs}::int)`)
}

/** Ends a delivery, and occasionally deletes old finished ones. */
async function end(tables: Tables, job: Job, state: 'delivered' | 'failed' | 'skipped') {
  await tables.execute(sql`
    update servicekit.deliveries set state = ${state} where id = ${job.subject}::bigint`)
  await finishJob(tables, job)
  if (job.subject % 50 !== 0) return
  await tables.execute(sql`
    with old as (
      select id from servicekit.deliveries where state <> 'pending' order by id desc offset ${kept}
    ), gone as (delete from servicekit.attempts where delivery_id in (select id from old))
    delete from servicekit.deliveries where id in (select id from old)`)
}

const faultOf = ({ status }: OutgoingResponse): string | null => {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'It redirects, and redirects are not followed.'
  return `It answered ${status}.`
}

function reasonOf(error: unknown): string {
  if (error instanceof BlockedAddressError) return error.message
  const { message, code } = error as NodeJS.ErrnoException
  return message === '' ? (code ?? 'The connection failed.') : message
}
