import { openApiDocument } from '@servicekit/contract'
import { controlDocument } from '@servicekit/contract/control'
import { sql } from 'drizzle-orm'
import type { Hono } from 'hono'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ControlDependencies } from '../control/routes.ts'
import type { AppEnv } from '../http/app-env.ts'
import { apiViewerUrl, pagesUrl } from '../assets.ts'
import { pageHeaders } from '../identity/pages.ts'
import { etagOf, revalidated, unlessUnchanged } from '../http/responses.ts'

/** Routes of the OpenAPI documents, and of the page that renders it. */
export function apiRoutes(app: Hono<AppEnv>): void {
  for (const [path, describe] of [
    ['/openapi.json', () => openApiDocument()],
    ['/_platform/openapi.json', () => controlDocument()],
  ] as const) {
    app.get(path, (c) => unlessUnchanged(c.req.raw, revalidated(JSON.stringify(describe()))))
  }
  for (const [path, folder, name, type] of [
    ['', pagesUrl, 'api.html', 'html'],
    ['/start.js', pagesUrl, 'start.js', 'javascript'],
    ['/swagger-ui-bundle.js', apiViewerUrl, 'swagger-ui-bundle.js', 'javascript'],
    ['/swagger-ui.css', apiViewerUrl, 'swagger-ui.css', 'css'],
  ] as const) {
    app.get(`/_platform/api${path}`, (c) => viewerFile(c.req.raw, new URL(name, folder), type))
  }
  // Landing page for the URL that `servicekit dev` prints.
  for (const path of ['/', '/_platform', '/_platform/']) {
    app.get(path, (c) => c.redirect('/_platform/api', 302))
  }
  // Reached only without `withConsole`, which responds first.
  app.get('/console/*', (c) => c.text(noConsole, 404))
}

/** The icons of Swagger UI are data URLs. */
const viewerPolicy =
  "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"

async function viewerFile(request: Request, file: URL, type: 'html' | 'javascript' | 'css') {
  const body = await readFile(file, 'utf8')
  const headers = {
    ...pageHeaders,
    'content-type': `text/${type}; charset=utf-8`,
    'content-security-policy': viewerPolicy,
    'cache-control': 'no-cache',
    etag: etagOf(body),
  }
  return unlessUnchanged(request, new Response(body, { headers }))
}

const noConsole =
  'This platform runs without its console. Use "servicekit dev", set "console" of "servicekit serve", or pass withConsole of @servicekit/platform/console as the option wrap of startPlatform.\n'

const timeoutMs = 2000

/** Minimum interval between two writes in ms. */
const writeIntervalMs = 1000

/** A committed write detects a full disk and a read-only server. */
const heartbeat = sql`
  insert into servicekit.heartbeats (id, beat_at) values (1, now())
  on conflict (id) do update set beat_at = excluded.beat_at`

/** Health checks for proxies: liveness, and readiness including writes. They are public. */
export function probes(
  app: Hono<AppEnv>,
  { isReady, services }: Pick<ControlDependencies, 'isReady' | 'services'>,
): void {
  let wroteAt = -Infinity
  /** Writes at most once a second, because anyone may send probes. */
  const checkDatabase = async () => {
    const { database, clockSkew } = await services()
    const time = performance.now()
    const isWrite = time - wroteAt > writeIntervalMs
    await database.unscoped.execute(isWrite ? heartbeat : sql`select 1`)
    if (isWrite) wroteAt = time
    return { clockSkewMs: await clockSkew.measure() }
  }
  app.get('/_platform/live', (c) => c.json({ status: 'ok' }))
  app.get('/_platform/ready', async (c) => {
    const timeout = sleep(timeoutMs, false as const, { ref: false })
    const checked =
      isReady() && (await Promise.race([checkDatabase(), timeout]).catch(() => false as const))
    return checked ? c.json({ status: 'ok', ...checked }) : c.json({ status: 'unavailable' }, 503)
  })
}
