import { openApiDocument } from '@servicekit/contract'
import type { Hono } from 'hono'
import { scriptPage } from '../control/script-page.ts'
import { etagOf, unlessUnchanged } from './responses.ts'
import type { AppEnv } from './app-env.ts'

/** Routes of the OpenAPI document, and of the page that renders it. */
export function apiRoutes(app: Hono<AppEnv>): void {
  app.get('/openapi.json', (c) => {
    const body = JSON.stringify(openApiDocument())
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      etag: etagOf(body),
    }
    return unlessUnchanged(c.req.raw, new Response(body, { headers }))
  })
  app.get('/_platform/api', () => scriptPage('api'))
  // Landing page for the URL that `servicekit dev` prints.
  for (const path of ['/', '/_platform', '/_platform/']) {
    app.get(path, (c) => c.redirect('/_platform/api', 302))
  }
}
