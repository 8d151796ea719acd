import type { process as contract } from '@servicekit/contract/control'
import { tabHeader } from '@servicekit/core'
import type { MiddlewareHandler } from 'hono'
import { type AppEnv, isControlPath, requestIdOf } from '../http/app-env.ts'
import { headerKey } from '../http/project-key.ts'
import type { ResolvedOptions } from '../options.ts'
import { redactUrl } from '../http/redact-url.ts'

export type LoggedRequest = contract.LoggedRequest

/** Log entry: a completed request, an error that no caller sees, or a notice at startup. */
export type LogEntry =
  | ({ readonly event: 'request'; readonly level: 'info' | 'warn' } & LoggedRequest)
  | {
      readonly event: 'error' | 'notice'
      readonly level: 'error' | 'warn'
      readonly at: string
      readonly message: string
    }

export type RequestLog = ReturnType<typeof createRequestLog>

const maxRequests = 500
/** Upper bounds of the histogram buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Infinity]

/** Values of metrics, by name and labels. */
type Series = Map<string, number>

const increase = (series: Series, id: string, by = 1): unknown =>
  series.set(id, (series.get(id) ?? 0) + by)

const linesOf = (series: Series): readonly string[] =>
  Array.from(series, ([id, value]) => `${id} ${Number(value.toFixed(6))}`)

/** Keeps the most recent requests of this process, and counts all of them. */
export function createRequestLog() {
  let requests: LoggedRequest[] = []
  const counts: Series = new Map()
  const durations: Series = new Map()
  return {
    add: (request: LoggedRequest): void => {
      requests.push(request)
      if (requests.length >= 2 * maxRequests) requests = requests.slice(-maxRequests)
      const { operation, method, status, durationMs } = request
      const label = `operation="${operation}"`
      const seconds = durationMs / 1000
      increase(counts, `servicekit_requests_total{${label},method="${method}",status="${status}"}`)
      for (const bound of bounds) {
        const labels = `${label},le="${bound === Infinity ? '+Inf' : bound}"`
        const by = seconds <= bound ? 1 : 0
        increase(durations, `servicekit_request_seconds_bucket{${labels}}`, by)
      }
      increase(durations, `servicekit_request_seconds_sum{${label}}`, seconds)
      increase(durations, `servicekit_request_seconds_count{${label}}`)
    },
    /** Returns the most recent requests, newest first. */
    recent: (limit: number, project?: string): readonly LoggedRequest[] =>
      requests
        .filter((request) => project === undefined || request.project === project)
        .slice(-Math.min(limit, maxRequests))
        .reverse(),
    clear: (): void => {
      requests = []
    },
    /** Returns request counts and durations by operation, in the Prometheus text format. */
    metrics: (): readonly string[] => [
      '# HELP servicekit_requests_total Completed requests.',
      '# TYPE servicekit_requests_total counter',
      ...linesOf(counts),
      '# HELP servicekit_request_seconds Time until the response began.',
      '# TYPE servicekit_request_seconds histogram',
      ...linesOf(durations),
    ],
  }
}

/** Records every request, and passes it to `onLog`. */
export const logRequests =
  (
    requestLog: RequestLog,
    options: Pick<ResolvedOptions, 'now' | 'onLog' | 'keyHeader'>,
  ): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const startedAt = performance.now()
    let isDropped = true
    try {
      await next()
      isDropped = false
    } finally {
      const tab = c.req.header(tabHeader)
      const request = {
        requestId: requestIdOf(c),
        at: options.now().toISOString(),
        method: c.req.method,
        path: redactUrl(new URL(c.req.url)),
        operation: c.get('operation') ?? (isControlPath(c.req.path) ? 'control' : 'other'),
        project: headerKey(c, options).slice(0, 64) || null,
        ...(tab !== undefined && { tab: tab.slice(0, 64) }),
        // A dropped connection has no status.
        status: isDropped ? 0 : c.res.status,
        durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
      }
      requestLog.add(request)
      options.onLog?.({
        event: 'request',
        level: request.status < 500 ? 'info' : 'warn',
        ...request,
      })
    }
  }
