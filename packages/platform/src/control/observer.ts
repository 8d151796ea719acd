/** Completed request. Contains no headers, no bodies and no secrets from its URL. */
export interface ObservedRequest {
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
  | ({ readonly event: 'request'; readonly level: 'info' | 'warn' } & ObservedRequest)
  | {
      readonly event: 'fault' | 'notice'
      readonly level: 'error' | 'warn'
      readonly at: string
      readonly message: string
    }

/** Keeps the most recent requests, and counts all of them. */
export interface Observer {
  readonly note: (request: ObservedRequest) => void
  /** Returns the most recent requests, newest first. */
  readonly recent: (limit: number, project?: string) => readonly ObservedRequest[]
  readonly forget: () => void
  /** Returns request counts and durations by operation, in the Prometheus text format. */
  readonly metrics: () => readonly string[]
}

/** Number of requests kept. */
const kept = 500
/** Upper bounds of the histogram buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Times {
  readonly buckets: number[]
  sum: number
  count: number
}

/** Creates an observer without any requests. */
export function observer(): Observer {
  let requests: ObservedRequest[] = []
  const counts = new Map<string, number>()
  const times = new Map<string, Times>()
  return {
    note: (request) => {
      requests.push(request)
      if (requests.length >= 2 * kept) requests = requests.slice(-kept)
      const { operation, method, status, durationMs } = request
      const labels = `operation="${operation}",method="${method}",status="${status}"`
      counts.set(labels, (counts.get(labels) ?? 0) + 1)
      const known = times.get(operation) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 }
      times.set(operation, known)
      const seconds = durationMs / 1000
      for (const [index, bound] of bounds.entries()) if (seconds <= bound) known.buckets[index]!++
      known.sum += seconds
      known.count++
    },
    recent: (limit, project) =>
      requests
        .filter((request) => project === undefined || request.project === project)
        .slice(-Math.min(limit, kept))
        .reverse(),
    forget: () => {
      requests = []
    },
    metrics: () => [
      '# HELP servicekit_requests_total Requests that were answered.',
      '# TYPE servicekit_requests_total counter',
      ...[...counts].map(([labels, count]) => `servicekit_requests_total{${labels}} ${count}`),
      '# HELP servicekit_request_seconds Time until an answer began.',
      '# TYPE servicekit_request_seconds histogram',
      ...[...times].flatMap(([operation, { buckets, sum, count }]) => [
        ...bounds.map(
          (bound, index) =>
            `servicekit_request_seconds_bucket{operation="${operation}",le="${bound}"} ${buckets[index]}`,
        ),
        `servicekit_request_seconds_bucket{operation="${operation}",le="+Inf"} ${count}`,
        `servicekit_request_seconds_sum{operation="${operation}"} ${sum.toFixed(6)}`,
        `servicekit_request_seconds_count{operation="${operation}"} ${count}`,
      ]),
    ],
  }
}
