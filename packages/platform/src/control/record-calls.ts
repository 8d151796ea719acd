import { sql } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { currentActor } from '../database/actor.ts'
import type { AppEnv } from '../http/app-env.ts'
import type { Services } from '../services.ts'

/**
 * Records each control call that succeeded, apart from those that only read, and exports with
 * secrets. The triggers of the database record which rows a call changed, but not those of sessions
 * and not what was read.
 */
export const recordCalls =
  (services: () => Promise<Services>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    await next()
    const { method } = c.req
    const hasSecrets = c.req.query('secrets') === 'true'
    const isRead = method === 'GET' || method === 'HEAD'
    if ((isRead && !hasSecrets) || c.res.status >= 400) return
    const { database, options } = await services()
    if (options.audit === undefined) return
    const route = matchedRoutes(c).at(-1)!.path.replace('/_platform', '')
    const call = `${method} ${route}${hasSecrets ? '?secrets=true' : ''}`
    const { actor, operation, requestId = null } = currentActor()
    const project = c.req.param('project') ?? null
    await database.unscoped.execute(sql`
      insert into servicekit.audit
        (instance, request_id, actor, operation, project, action, kind, records, total)
      values (${options.audit}, ${requestId}, ${actor}, ${operation}, ${project},
        'call', 'control', array[${call}], 1)`)
  }
