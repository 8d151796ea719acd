import { z } from 'zod'
import { countJobs } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import {
  type Control,
  created,
  httpError,
  parseInteger,
  readJson,
  requireFound,
} from './control-call.ts'
import { FaultRule, type Faults } from './fault-rules.ts'
import type { RequestLog } from './request-log.ts'

const ClockChange = z.union([
  z.strictObject({ advanceMs: z.int().min(0) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
])

/** Latest instant that every date format in use can represent, in ms. */
const latest = Date.parse('9999-12-31T00:00:00Z')

/** Routes of this process: recent requests, metrics, clock, queue and fault injection. */
export function operateRoutes(
  { app, services }: Control,
  { requestLog, faults }: { readonly requestLog: RequestLog; readonly faults: Faults },
): void {
  app.get('/requests', (c) => {
    const { limit, project } = c.req.query()
    return c.json(requestLog.recent(parseInteger(limit, 50, 500), project))
  })
  app.delete('/requests', (c) => {
    requestLog.clear()
    return c.body(null, 204)
  })
  app.get('/metrics', async (c) => {
    const lines = [...requestLog.metrics(), ...(await gauges(await services()))]
    return c.body(`${lines.join('\n')}\n`, 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    })
  })
  app.get('/clock', async (c) => {
    const { clock } = (await services()).options
    return c.json({ now: clock.now().toISOString(), isFrozen: clock.isFrozen })
  })
  app.post('/clock', async (c) => {
    const change = await readJson(c.req.raw, ClockChange)
    const { options, queue } = await services()
    const { clock } = options
    const current = clock.now().getTime()
    const ms = 'now' in change ? Date.parse(change.now) - current : change.advanceMs
    if (ms < 0) throw httpError(400, 'The clock cannot be set back.')
    if (current + ms > latest) throw httpError(400, 'The clock cannot pass the year 9999.')
    const now = clock.advance(ms)
    // Run jobs that became due before responding, so that the caller sees their effects.
    await queue.idle()
    return c.json({ now: now.toISOString(), isFrozen: clock.isFrozen })
  })
  app.get('/queue', async (c) => {
    const { database, options } = await services()
    return c.json(await countJobs(database.unscoped, options.now()))
  })
  app.post('/queue/drain', async (c) => {
    const { queue } = await services()
    queue.wake()
    await queue.idle()
    return c.body(null, 204)
  })
  app.get('/faults', (c) => c.json(faults.list()))
  app.post('/faults', async (c) => created(faults.add(await readJson(c.req.raw, FaultRule))))
  app.delete('/faults', (c) => {
    faults.remove()
    return c.body(null, 204)
  })
  app.delete('/faults/:id', (c) => {
    requireFound(faults.remove(c.req.param('id')), 'rule')
    return c.body(null, 204)
  })
}

async function gauges({ database, options, projects }: Services): Promise<readonly string[]> {
  const jobs = await countJobs(database.unscoped, options.now())
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const values: readonly (readonly [string, string, string, number])[] = [
    ['servicekit_projects', 'gauge', 'Projects.', (await projects.list()).length],
    ['servicekit_jobs', 'gauge', 'Jobs in the queue.', jobs.all],
    ['servicekit_jobs_due', 'gauge', 'Jobs that are due.', jobs.due],
    ['process_resident_memory_bytes', 'gauge', 'Memory of the process.', rss],
    ['nodejs_heap_used_bytes', 'gauge', 'Used memory of the JavaScript heap.', heapUsed],
    ['process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / 1e6],
    ['process_uptime_seconds', 'gauge', 'Time since the start.', process.uptime()],
  ]
  return values.flatMap(([name, type, help, value]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    `${name} ${value}`,
  ])
}
