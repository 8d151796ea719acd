import { sql } from 'drizzle-orm'
import type { PlatformEvent } from './events.ts'
import type { Tables } from '../database/database.ts'
import type { Project } from '../database/project-directory.ts'
import type { Services } from '../services.ts'

/** Events of one change: recorded in its transaction and emitted after the commit. */
export type Outbox = ReturnType<typeof outboxOf>

/**
 * Creates an outbox. A webhook is delivered if and only if the change is committed, because
 * both are in one transaction.
 */
export function outboxOf({ events, queue, options }: Services) {
  const added: { readonly key: string; readonly event: PlatformEvent }[] = []
  let isQueued = false
  return {
    /** Records an event for the project's webhook, if it has an active one. */
    add: async (
      tables: Tables,
      { id, key }: Pick<Project, 'id' | 'key'>,
      event: PlatformEvent,
    ): Promise<void> => {
      const now = sql`${options.now()}::timestamptz`
      const { rowCount } = await tables.execute(sql`
        with delivery as (
          insert into servicekit.deliveries (project_id, message_id, kind, body, created_at)
          select ${id}::int, ${`msg_${options.newId().replaceAll('-', '')}`},
            ${Object.keys(event)[0]}, ${JSON.stringify(event)}, ${now}
          from servicekit.webhooks where not is_disabled
          returning id
        )
        insert into servicekit.jobs (kind, for_project, subject, run_at)
        select 'webhook', ${id}::int, id, ${now} from delivery`)
      if (!(await events.send(tables, key, event))) added.push({ key, event })
      isQueued ||= rowCount! > 0
    },
    /** Emits the recorded events that are for this instance only. Call it after the commit, and only then. */
    emit: (): void => {
      for (const { key, event } of added) events.emitter.emit('event', key, event)
      if (isQueued) queue.wake()
    },
  }
}
