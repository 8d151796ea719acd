import type { Services } from '../services.ts'
import { type Control, numberOf, reply } from './control.ts'
import type { Observer } from './observer.ts'

/** Operator routes: recent requests, and metrics for Prometheus. */
export function operateRoutes({ app, services }: Control, observer: Observer): void {
  app.get('/requests', (c) => {
    const { limit, project } = c.req.query()
    return reply(c, observer.recent(numberOf(limit, 50, 500), project))
  })
  app.delete('/requests', () => {
    observer.forget()
    return new Response(null, { status: 204 })
  })
  app.get('/metrics', async (c) => {
    const lines = [...observer.metrics(), ...(await gauges(await services()))]
    return c.body(`${lines.join('\n')}\n`, 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    })
  })
}

async function gauges({ database, options, projects }: Services): Promise<readonly string[]> {
  const { countJobs } = await import('../queue/jobs.ts')
  const jobs = await countJobs(database.directory, options.now())
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const values: readonly (readonly [string, string, string, number])[] = [
    ['servicekit_projects', 'gauge', 'Projects.', (await projects.list()).length],
    ['servicekit_jobs', 'gauge', 'Jobs in the queue.', jobs.all],
    ['servicekit_jobs_due', 'gauge', 'Jobs whose time has come.', jobs.due],
    ['process_resident_memory_bytes', 'gauge', 'Memory of the process.', rss],
    ['nodejs_heap_used_bytes', 'gauge', 'Memory of the JavaScript heap in use.', heapUsed],
    ['process_cpu_seconds_total', 'counter', 'Processor time.', (user + system) / 1e6],
    ['process_uptime_seconds', 'gauge', 'Time since the start.', process.uptime()],
  ]
  return values.flatMap(([name, type, help, value]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    `${name} ${value}`,
  ])
}
