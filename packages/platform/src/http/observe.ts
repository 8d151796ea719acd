import { projectHeader } from '@servicekit/contract'
import type { Context, MiddlewareHandler } from 'hono'
import { redactUrl } from '../common/redact.ts'
import type { Observer } from '../control/observer.ts'
import type { ResolvedOptions } from '../options.ts'
import { type AppEnv, isControlPath, requestIdOf } from './app-env.ts'

/** Records every request, and logs it if a logger is configured. */
export function observe(
  { note }: Observer,
  { now, onLog }: Pick<ResolvedOptions, 'now' | 'onLog'>,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const started = performance.now()
    let isDropped = true
    try {
      await next()
      isDropped = false
    } finally {
      tell(c, started, isDropped)
    }
  }

  function tell(c: Context<AppEnv>, started: number, isDropped: boolean): void {
    const durationMs = Math.round((performance.now() - started) * 100) / 100
    const { url } = c.req
    const request = {
      requestId: requestIdOf(c),
      at: now().toISOString(),
      method: c.req.method,
      // Parsing URLs is costly, and most need no redaction.
      path: url.includes('?') ? redactUrl(new URL(url)) : c.req.path,
      operation: c.get('operation') ?? (isControlPath(c.req.path) ? 'control' : 'other'),
      project: c.req.header(projectHeader)?.slice(0, 64) ?? null,
      // A dropped connection has no status.
      status: isDropped ? 0 : c.res.status,
      durationMs,
    }
    note(request)
    onLog?.({ event: 'request', level: request.status < 500 ? 'info' : 'warn', ...request })
  }
}
