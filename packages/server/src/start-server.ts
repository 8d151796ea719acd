import { createPlatform, type LogEntry, type Platform } from '@servicekit/platform'
import { withConsole } from '@servicekit/platform/console'
import { type Listening, listen } from '@servicekit/platform/node'
import { setTimeout as sleep } from 'node:timers/promises'
import manifest from '../package.json' with { type: 'json' }
import type { Settings } from './config/settings.ts'
import type { Log } from './log.ts'
import { createMailer } from './mail/create-mailer.ts'
import { metricsHandler } from './metrics.ts'
import { platformOptions } from './platform-options.ts'
import { createReadiness, respondToProbe } from './probes.ts'
import { requireMigrations } from './require-migrations.ts'
import { nameRequest, traceRequest, traceWork } from './tracing.ts'

/** Running server. */
export interface RunningServer {
  readonly baseUrl: string
  /** URL of the second listener; undefined without `metrics.port`. */
  readonly metricsUrl: string | undefined
  readonly platform: Platform
  /** Aborted when the embedded database has stopped, so that the process must end. */
  readonly failed: AbortSignal
  /**
   * Stops the server: first it is not ready, then it accepts no new requests and completes
   * those in flight, then it closes the database.
   */
  readonly stop: () => Promise<void>
}

/** URL of requests that the server sends to the platform in process. */
const local = 'http://localhost/_platform'

/**
 * Starts the server. It listens at once, responds to probes, and to other requests with 503
 * until the platform has started.
 *
 * @throws PlatformError `LISTEN_FAILED`, `DATABASE_FAILED`, `DATABASE_INCOMPATIBLE`,
 * `DATABASE_IN_USE`, `PROJECT_INVALID`
 */
export async function startServer(settings: Settings, log: Log): Promise<RunningServer> {
  const { host, port, metrics, shutdown } = settings
  const readiness = createReadiness()
  let platform: Platform | undefined
  let handle: Platform['fetch'] | undefined
  const failure = new AbortController()
  const options = platformOptions(settings)
  const sendMail = createMailer(settings.mail, log, () => platform?.now() ?? new Date())
  const authorization = `Bearer ${options.controlToken}`
  const request = (path: string): Promise<Response> =>
    platform!.fetch(new Request(`${local}${path}`, { headers: { authorization } }))

  const fetch: Platform['fetch'] = async (request, bindings) => {
    const probe = await respondToProbe(request, readiness)
    if (probe) return probe
    const running = handle
    if (!running) return startingResponse()
    const response = await traceRequest(request, () => running(request, bindings))
    // Ends connections that are kept alive, so that they move to another instance.
    if (readiness.isStopping()) response.headers.set('connection', 'close')
    return response
  }
  const listeners: Listening[] = []
  const metricsParts = metricsHandler({
    platformMetrics: async () => (platform ? (await request('/metrics')).text() : undefined),
    readiness,
    version: manifest.version,
  })
  const stop = async (): Promise<void> => {
    const [own, ...others] = listeners
    // Event streams only end with the platform, and its listener waits for them.
    await Promise.all([platform?.close(shutdown.timeoutMs), own?.close(shutdown.timeoutMs)])
    await Promise.all(others.map((one) => one.close(0)))
    metricsParts.close()
  }
  try {
    listeners.push(await listen({ fetch }, { host, port }))
    if (metrics.port !== undefined) {
      listeners.push(await listen(metricsParts, { host: metrics.host, port: metrics.port }))
    }
    const [{ baseUrl }, second] = listeners as [Listening, Listening?]
    await requireMigrations(settings)
    const started = await createPlatform({
      ...options,
      trace: traceWork,
      ...(sendMail && { sendMail }),
      onLog: (entry) => logEntry(entry, settings, log),
      onStopped: ({ message }) => {
        log({ event: 'database', level: 'error', message })
        failure.abort()
      },
    })
    platform = started
    const { publicUrl } = options
    // Nobody is let in because of the machine that they use: a proxy may run on it.
    handle = settings.console ? withConsole(started, { publicUrl }) : started.fetch
    readiness.started({
      checkPlatform: async () => {
        const response = await request('/ready')
        const { clockSkewMs } = (await response.json()) as { clockSkewMs?: number }
        return { isReady: response.ok, clockSkewMs }
      },
      checkStorage: () => started.checkStorage(),
      onFailure: ({ message }) => log({ event: 'storage', level: 'error', message }),
    })
    const metricsUrl = second && `${second.baseUrl}/metrics`
    log({ event: 'started', level: 'info', version: manifest.version, baseUrl, metricsUrl })
    return {
      baseUrl,
      metricsUrl,
      platform: started,
      failed: failure.signal,
      stop: async () => {
        readiness.stopping()
        log({ event: 'stopping', level: 'info', ...shutdown })
        await sleep(shutdown.delayMs)
        await stop()
        log({ event: 'stopped', level: 'info' })
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const startingResponse = (): Response =>
  Response.json(
    { title: 'The server is starting.', status: 503 },
    { status: 503, headers: { 'retry-after': '1', 'content-type': 'application/problem+json' } },
  )

/** Logs an entry of the platform, which contains no secrets. */
function logEntry(entry: LogEntry, { log: { access } }: Settings, log: Log): void {
  if (entry.event !== 'request') return log({ ...entry })
  const { method, operation, requestId, path } = entry
  nameRequest(method, operation, requestId)
  // The server itself sends these for its probes and metrics.
  const isOwn = path === '/_platform/ready' || path === '/_platform/metrics'
  if (access && !isOwn) log({ ...entry })
}
