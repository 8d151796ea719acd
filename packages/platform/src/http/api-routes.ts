import { openApiDocument } from '@servicekit/contract'
import type { Hono } from 'hono'
import { scriptPage } from '../control/script-page.ts'
import type { Answer } from './answer.ts'
import { etagOf, toResponse } from './answer.ts'
import type { AppEnv } from './app-env.ts'

/** Routes of the OpenAPI document, and of the page that renders it. */
export function apiRoutes(app: Hono<AppEnv>): void {
  let document: Answer | undefined
  app.get('/openapi.json', (c) => toResponse(c.req.raw, (document ??= documentAnswer())))
  app.get('/_platform/api', () => scriptPage('api'))
  // Landing page for the URL that `servicekit dev` prints.
  for (const path of ['/', '/_platform', '/_platform/']) {
    app.get(path, (c) => c.redirect('/_platform/api', 302))
  }
}

function documentAnswer(): Answer {
  const body = JSON.stringify(openApiDocument())
  return {
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      etag: etagOf(body),
    },
    body,
  }
}
