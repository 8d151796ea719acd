import type { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import type { AppEnv } from '../http/app-env.ts'
import type { Services } from '../services.ts'
import { endFlow } from './oauth.ts'

/**
 * OAuth callback of tools: an authorization server redirects the browser here after a user
 * authorized a tool. It needs no authentication, because the state parameter is secret and
 * valid only once.
 */
export function toolCallback(app: Hono<AppEnv>, services: () => Promise<Services>): void {
  app.get('/_platform/tools/callback', async (c) => {
    const result = await endFlow(await services(), c.req.query())
    const status = 'toolId' in result ? 200 : 400
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer')
    const supports = ['text/plain', 'application/json']
    const type = accepts(c, { header: 'Accept', supports, default: 'text/plain' })
    if (type === 'application/json') return c.json(result, status)
    return c.text(
      'toolId' in result ? 'The tool is connected. You can close this page.' : result.error,
      status,
    )
  })
}
