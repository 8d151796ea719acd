import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readiness } from './probes.ts'
import { respondToProbe } from './probes.ts'

/** Content type of the Prometheus text format. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** Time in ms after which a part that has not responded is left out. */
const timeoutMs = 600

export interface MetricsSources {
  /** Returns the metrics of the platform in the Prometheus text format; undefined at start. */
  readonly platformMetrics: () => Promise<string | undefined>
  readonly readiness: Readiness
  readonly version: string
}

/** Creates the handler of the second listener: `/metrics`, `/live` and `/ready`. */
export function metricsHandler({ platformMetrics, readiness, version }: MetricsSources) {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const own = ({ reason, parts }: Awaited<ReturnType<Readiness['check']>>): string =>
    [
      ...metric('servicekit_info', 'Version of the server.', 1, `{version="${version}"}`),
      ...metric('servicekit_ready', '1 if the server is ready.', reason === undefined ? 1 : 0),
      ...partMetric(parts),
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
      // Metrics are most useful while something is wrong, so a part that fails or does not respond
      // is left out.
      const [checked, text] = await Promise.all([
        within(readiness.check(), { reason: 'database' as const }),
        within(platformMetrics(), undefined),
      ])
      const body = (text ?? '') + own(checked)
      delay.reset()
      return new Response(body, { headers: { 'content-type': contentType } })
    },
    close: () => void delay.disable(),
  }
}

/** Returns the result of `work`, or `fallback` if it fails or takes too long. */
const within = <T>(work: Promise<T>, fallback: T): Promise<T> =>
  Promise.race([work.catch(() => fallback), sleep(timeoutMs, fallback, { ref: false })])

function partMetric(parts: Readonly<Record<string, string>> = {}): readonly string[] {
  const known = Object.entries(parts).filter(([, state]) => state !== 'unknown')
  if (known.length === 0) return []
  const name = 'servicekit_part_up'
  return [
    `# HELP ${name} 1 if the last check of the part succeeded.`,
    `# TYPE ${name} gauge`,
    ...known.map(([part, state]) => `${name}{part="${part}"} ${state === 'ok' ? 1 : 0}`),
  ]
}

const metric = (name: string, help: string, value: number, labels = ''): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} gauge`,
  `${name}${labels} ${value}`,
]
