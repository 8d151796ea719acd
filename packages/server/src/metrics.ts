import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Readiness } from './probes.ts'
import { respondToProbe } from './probes.ts'

/** Content type of the Prometheus text format. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

export interface MetricsParts {
  /** Returns the metrics of the platform in the Prometheus text format; undefined at start. */
  readonly platformMetrics: () => Promise<string | undefined>
  readonly readiness: Readiness
  readonly version: string
}

/** Creates the handler of the second listener: `/metrics`, `/live` and `/ready`. */
export function metricsHandler({ platformMetrics, readiness, version }: MetricsParts) {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const own = (isReady: boolean): string =>
    [
      ...metric('servicekit_info', 'Version of the server.', 1, `{version="${version}"}`),
      ...metric('servicekit_ready', '1 if the server is ready.', isReady ? 1 : 0),
      ...metric(
        'nodejs_eventloop_lag_p99_seconds',
        '99th percentile of the delay of the event loop since the last request.',
        delay.percentile(99) / 1e9,
      ),
      '',
    ].join('\n')
  return {
    fetch: async (request: Request): Promise<Response> => {
      const probe = await respondToProbe(request, readiness)
      if (probe) return probe
      if (new URL(request.url).pathname !== '/metrics') {
        return new Response('Not found\n', { status: 404 })
      }
      // Metrics are most useful while something is wrong, so a failure leaves out its part.
      const checked = await readiness.check().catch(() => ({ reason: 'database' }))
      const isReady = checked.reason === undefined
      const text = (await platformMetrics().catch(() => undefined)) ?? ''
      const body = text + own(isReady)
      delay.reset()
      return new Response(body, { headers: { 'content-type': contentType } })
    },
    close: () => void delay.disable(),
  }
}

const metric = (name: string, help: string, value: number, labels = ''): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name}${labels} ${value}`,
]
