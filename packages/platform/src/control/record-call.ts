import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { currentActor } from '../database/actor.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Services } from '../services.ts'

/**
 * Records a control call that succeeded, unless it only reads; exports with secrets are recorded.
 * The triggers of the database record which rows a call changed, but not those of sessions and not
 * what was read.
 *
 * @param path of the operation, with its parameters in braces.
 */
export async function recordCall(
  c: Context<AppEnv>,
  services: () => Promise<Services>,
  path: string,
  response: Response,
): Promise<void> {
  const { method } = c.req
  const hasSecrets = c.req.query('secrets') === 'true'
  const isRead = method === 'GET' || method === 'HEAD'
  if ((isRead && !hasSecrets) || response.status >= 400) return
  const { database, options } = await services()
  if (options.audit === undefined) return
  const route = path.replaceAll(/\{(\w+)\}/g, ':$1')
  const call = `${method} ${route}${hasSecrets ? '?secrets=true' : ''}`
  const { actor, operation, requestId = null } = currentActor()
  const project = c.req.param('project') ?? null
  await database.unscoped.execute(sql`
    insert into servicekit.audit
      (instance, request_id, actor, operation, project, action, kind, records, total)
    values (${options.audit}, ${requestId}, ${actor}, ${operation}, ${project},
      'call', 'control', array[${call}], 1)`)
}
