import { z } from 'zod'
import { type Control, readJson, Refused, reply } from './control.ts'

const Advance = z.union([
  z.strictObject({ advanceMs: z.int().min(0) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
])

/** Latest instant that every date format in use can represent, in ms. */
const latest = Date.parse('9999-12-31T00:00:00Z')

/** Routes that read and advance the platform's clock. */
export function clockRoutes({ app, services }: Control): void {
  app.get('/clock', async (c) => {
    const { clock } = (await services()).options
    return reply(c, { now: clock.now().toISOString(), isFrozen: clock.isFrozen })
  })
  app.post('/clock', async (c) => {
    const given = await readJson(c.req.raw, Advance)
    const { options, queue } = await services()
    const { clock } = options
    const ms = 'now' in given ? Date.parse(given.now) - clock.now().getTime() : given.advanceMs
    if (ms < 0) throw new Refused(400, 'Time goes on, never back.')
    if (clock.now().getTime() + ms > latest) {
      throw new Refused(400, 'Time goes on until the end of the year 9999.')
    }
    const now = clock.advance(ms)
    // Run jobs that became due before responding, so that the caller sees their effects.
    await queue.idle()
    return reply(c, { now: now.toISOString(), isFrozen: clock.isFrozen })
  })
  app.get('/queue', async (c) => {
    const { countJobs } = await import('../queue/jobs.ts')
    const { database, options } = await services()
    return reply(c, await countJobs(database.directory, options.now()))
  })
  app.post('/queue/drain', async () => {
    const { queue } = await services()
    queue.wake()
    await queue.idle()
    return new Response(null, { status: 204 })
  })
}
