import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import type { ControlParts } from '../control/routes.ts'
import type { AppEnv } from './app-env.ts'

/** Timeout of the database check in ms. */
const patienceMs = 2000

/** Minimum interval between two writes in ms. */
const writeEveryMs = 1000

/** A committed write detects a full disk and a read-only server. */
const heartbeat = sql`
  insert into servicekit.heartbeats (id, beat_at) values (1, now())
  on conflict (id) do update set beat_at = excluded.beat_at`

/**
 * Health checks for proxies: liveness, and readiness including writes. They are public,
 * because they reveal nothing else.
 */
export function probes(
  app: Hono<AppEnv>,
  { isReady, services }: Pick<ControlParts, 'isReady' | 'services'>,
): void {
  const canWrite = writeProbe(services)
  app.get('/_platform/live', (c) => c.json({ status: 'ok' }))
  app.get('/_platform/ready', async (c) => {
    const isWell = isReady() && (await canWrite())
    return isWell ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503)
  })
}

/**
 * Returns a function that resolves with true if the database responds and commits writes.
 * It writes at most once a second, because anyone may send probes.
 */
function writeProbe(services: ControlParts['services']): () => Promise<boolean> {
  let wroteAt = -Infinity
  return async () => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs)
    })
    const startedAt = performance.now()
    const isWrite = startedAt - wroteAt > writeEveryMs
    const done = services().then(async ({ database }) => {
      await database.directory.execute(isWrite ? heartbeat : sql`select 1`)
      if (isWrite) wroteAt = startedAt
      return true
    })
    try {
      return await Promise.race([done, late])
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}
