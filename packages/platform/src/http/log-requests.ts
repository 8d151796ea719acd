import { projectHeader } from '@servicekit/contract'
import type { MiddlewareHandler } from 'hono'
import { redactUrl } from '../common/redact.ts'
import type { RequestLog } from '../control/request-log.ts'
import type { ResolvedOptions } from '../options.ts'
import { type AppEnv, isControlPath, requestIdOf } from './app-env.ts'

/** Records every request, and passes it to `onLog`. */
export const logRequests =
  (
    requestLog: RequestLog,
    { now, onLog }: Pick<ResolvedOptions, 'now' | 'onLog'>,
  ): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const startedAt = performance.now()
    let isDropped = true
    try {
      await next()
      isDropped = false
    } finally {
      const request = {
        requestId: requestIdOf(c),
        at: now().toISOString(),
        method: c.req.method,
        path: redactUrl(new URL(c.req.url)),
        operation: c.get('operation') ?? (isControlPath(c.req.path) ? 'control' : 'other'),
        project: c.req.header(projectHeader)?.slice(0, 64) ?? null,
        // A dropped connection has no status.
        status: isDropped ? 0 : c.res.status,
        durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
      }
      requestLog.add(request)
      onLog?.({ event: 'request', level: request.status < 500 ? 'info' : 'warn', ...request })
    }
  }
