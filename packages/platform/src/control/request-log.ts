/** Completed request. Contains no headers, no bodies and no secrets from its URL. */
export interface LoggedRequest {
  readonly requestId: string
  readonly at: string
  readonly method: string
  /** Path and query, with secrets redacted. */
  readonly path: string
  /** Operation id; `control` or `other` if there is none. */
  readonly operation: string
  /** Project key from the request header, if present. */
  readonly project: string | null
  readonly status: number
  readonly durationMs: number
}

/** Log entry: a completed request, an error that no caller sees, or a notice at startup. */
export type LogEntry =
  | ({ readonly event: 'request'; readonly level: 'info' | 'warn' } & LoggedRequest)
  | {
      readonly event: 'error' | 'notice'
      readonly level: 'error' | 'warn'
      readonly at: string
      readonly message: string
    }

/** Keeps the most recent requests of this process, and counts all of them. */
export interface RequestLog {
  readonly add: (request: LoggedRequest) => void
  /** Returns the most recent requests, newest first. */
  readonly recent: (limit: number, project?: string) => readonly LoggedRequest[]
  readonly clear: () => void
  /** Returns request counts and durations by operation, in the Prometheus text format. */
  readonly metrics: () => readonly string[]
}

const maxRequests = 500
/** Upper bounds of the histogram buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Histogram {
  readonly buckets: number[]
  sum: number
  count: number
}

/** Creates an empty request log. */
export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = []
  const counts = new Map<string, number>()
  const histograms = new Map<string, Histogram>()
  return {
    add: (request) => {
      requests.push(request)
      if (requests.length >= 2 * maxRequests) requests = requests.slice(-maxRequests)
      const { operation, method, status, durationMs } = request
      const labels = `operation="${operation}",method="${method}",status="${status}"`
      counts.set(labels, (counts.get(labels) ?? 0) + 1)
      const histogram = histograms.get(operation) ?? {
        buckets: bounds.map(() => 0),
        sum: 0,
        count: 0,
      }
      histograms.set(operation, histogram)
      const seconds = durationMs / 1000
      for (const [index, bound] of bounds.entries()) {
        if (seconds <= bound) histogram.buckets[index]!++
      }
      histogram.sum += seconds
      histogram.count++
    },
    recent: (limit, project) =>
      requests
        .filter((request) => project === undefined || request.project === project)
        .slice(-Math.min(limit, maxRequests))
        .reverse(),
    clear: () => {
      requests = []
    },
    metrics: () => [
      '# HELP servicekit_requests_total Completed requests.',
      '# TYPE servicekit_requests_total counter',
      ...[...counts].map(([labels, count]) => `servicekit_requests_total{${labels}} ${count}`),
      '# HELP servicekit_request_seconds Time until the response began.',
      '# TYPE servicekit_request_seconds histogram',
      ...[...histograms].flatMap(([operation, { buckets, sum, count }]) => {
        const bucket = (bound: number | string, value: number | undefined): string =>
          `servicekit_request_seconds_bucket{operation="${operation}",le="${bound}"} ${value}`
        return [
          ...bounds.map((bound, index) => bucket(bound, buckets[index])),
          bucket('+Inf', count),
          `servicekit_request_seconds_sum{operation="${operation}"} ${sum.toFixed(6)}`,
          `servicekit_request_seconds_count{operation="${operation}"} ${count}`,
        ]
      }),
    ],
  }
}
