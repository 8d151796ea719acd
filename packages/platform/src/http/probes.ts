import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import type { ControlParts } from '../control/routes.ts'
import type { AppEnv } from './app-env.ts'

/** Longest time that the database has to answer, in ms. */
const patienceMs = 2000

/** How long probes share one write, in ms. */
const sharedMs = 1000

/** The committed write shows a full disk and a server that only reads. */
const heartbeat = sql`
  insert into servicekit.heartbeats (id, beat_at) values (1, now())
  on conflict (id) do update set beat_at = excluded.beat_at`

/**
 * What a proxy asks an instance, open to everyone since it says nothing else:
 * whether the process runs, and whether it can serve requests, writes too.
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
 * Returns a function that resolves with whether the database commits a write.
 * Probes within a second share one write, since anyone may send them.
 */
function writeProbe(services: ControlParts['services']): () => Promise<boolean> {
  let probe: Promise<boolean> | undefined
  let probedAt = -Infinity
  const write = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs)
    })
    const written = services().then(({ database }) => database.directory.execute(heartbeat))
    try {
      return await Promise.race([written.then(() => true), late])
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }
  return async () => {
    if (!probe || performance.now() - probedAt > sharedMs) {
      probedAt = performance.now()
      probe = write()
    }
    return probe
  }
}
