import { process as operations } from '@servicekit/contract/control'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Invalid, requireFound } from '../domain-errors.ts'
import { countJobs } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { implementControl, type ImplementedControl } from './control-operation.ts'
import type { Faults } from './fault-rules.ts'
import type { RequestLog } from './request-log.ts'

/** Latest instant that every date format in use can represent, in ms. */
const latest = Date.parse('9999-12-31T00:00:00Z')

interface ProcessDependencies {
  readonly requestLog: RequestLog
  readonly faults: Faults
}

/** Operations on this process: recent requests, metrics, clock, queue, faults and the audit log. */
export const processOperations = ({ requestLog, faults }: ProcessDependencies) => [
  implementControl(operations.listRequests, ({ query }) =>
    requestLog.recent(query.limit, query.project),
  ),
  implementControl(operations.clearRequests, () => requestLog.clear()),
  implementControl(operations.readMetrics, async ({ services }) => {
    const lines = [...requestLog.metrics(), ...(await gauges(await services()))]
    return new Response(`${lines.join('\n')}\n`, {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    })
  }),
  ...developmentOperations(faults),
  implementControl(operations.countJobs, async ({ services }) => {
    const { database, options } = await services()
    return countJobs(database.unscoped, options.now())
  }),
  implementControl(operations.drainQueue, async ({ services }) => {
    const { queue } = await services()
    queue.wake()
    await queue.idle()
  }),
  implementControl(operations.listAudit, async ({ services, query }) => {
    const { since, after, until, project = null, limit } = query
    const { unscoped } = (await services()).database
    const { rows } = await unscoped.execute<operations.AuditEntry>(sql`
      select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, instance,
        request_id as "requestId", actor, operation, project, action, kind, records,
        total::float8 as total
      from servicekit.audit
      where (at, id) > (${since}::timestamptz, ${after}::uuid) and at < ${until}::timestamptz
        and (${project}::text is null or project = ${project})
      order by audit.at, id limit ${limit}`)
    return rows
  }),
]

/** Operations for tests and development. */
const developmentOperations = (faults: Faults): readonly ImplementedControl[] =>
  [
    implementControl(operations.readClock, async ({ services }) => {
      const { clock } = (await services()).options
      return { now: clock.now(), isFrozen: clock.isFrozen }
    }),
    implementControl(operations.advanceClock, async ({ services, body }) => {
      const { options, queue } = await services()
      const { clock } = options
      const current = clock.now().getTime()
      const ms = 'now' in body ? Date.parse(body.now) - current : body.advanceMs
      if (ms < 0) throw new Invalid('The clock cannot be set back.')
      if (current + ms > latest) throw new Invalid('The clock cannot pass the year 9999.')
      const now = clock.advance(ms)
      // Run jobs that became due before responding, so that the caller sees their effects.
      await queue.idle()
      return { now, isFrozen: clock.isFrozen }
    }),
    implementControl(operations.listFaults, () => faults.list()),
    implementControl(operations.addFault, ({ body }) => faults.add(body)),
    implementControl(operations.removeFaults, () => void faults.remove()),
    implementControl(operations.removeFault, ({ path }) =>
      requireFound(faults.remove(path.id), 'rule'),
    ),
  ].map((operation) => ({
    ...operation,
    options: { ...operation.options, isForDevelopment: true },
  }))

/** Time in ms after which the metrics of the database are left out. */
const gaugesTimeoutMs = 400

async function gauges(services: Services): Promise<readonly string[]> {
  const ofDatabase = databaseGauges(services).catch(() => [])
  const fallback = sleep(gaugesTimeoutMs, [], { ref: false })
  return [...(await Promise.race([ofDatabase, fallback])), ...processGauges()].flatMap(
    ([name, type, help, value]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      `${name} ${value}`,
    ],
  )
}

type Gauge = readonly [name: string, type: string, help: string, value: number]

async function databaseGauges({
  database,
  options,
  projects,
}: Services): Promise<readonly Gauge[]> {
  const [jobs, all] = await Promise.all([
    countJobs(database.unscoped, options.now()),
    projects.list(),
  ])
  return [
    ['servicekit_projects', 'gauge', 'Projects.', all.length],
    ['servicekit_jobs', 'gauge', 'Jobs in the queue.', jobs.all],
    ['servicekit_jobs_due', 'gauge', 'Jobs that are due.', jobs.due],
  ]
}

function processGauges(): readonly Gauge[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    ['process_resident_memory_bytes', 'gauge', 'Memory of the process.', rss],
    ['nodejs_heap_used_bytes', 'gauge', 'Used memory of the JavaScript heap.', heapUsed],
    ['process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / 1e6],
    ['process_uptime_seconds', 'gauge', 'Time since the start.', process.uptime()],
  ]
}
