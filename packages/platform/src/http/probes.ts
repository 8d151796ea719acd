import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import type { ControlParts } from '../control/routes.ts'
import type { AppEnv } from './app-env.ts'

/** Longest time that the database has to answer, in ms. */
const patienceMs = 2000

/**
 * What a proxy asks an instance, open to everyone since it says nothing else:
 * whether the process runs, and whether it can answer requests now.
 */
export function probes(
  app: Hono<AppEnv>,
  { isReady, services }: Pick<ControlParts, 'isReady' | 'services'>,
): void {
  app.get('/_platform/live', (c) => c.json({ status: 'ok' }))
  app.get('/_platform/ready', async (c) => {
    const isWell = isReady() && (await answers())
    return isWell ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503)
  })
  const answers = async (): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), patienceMs)
    })
    const asked = services().then(({ database }) => database.directory.execute(sql`select 1`))
    try {
      return await Promise.race([asked.then(() => true), late])
    } catch {
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}
