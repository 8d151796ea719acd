import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Control, httpError } from './control-call.ts'

const instant = z.iso.datetime({ offset: true })

/** Entries from `since` on, or those that follow the entry `after` of that time. */
const AuditQuery = z.strictObject({
  since: instant.default('1970-01-01T00:00:00Z'),
  after: z.uuid().default('00000000-0000-0000-0000-000000000000'),
  until: instant.default('9999-12-31T00:00:00Z'),
  project: z.string().nullable().default(null),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
})

/** Route that lists the audit log, the oldest entry first. No route changes it. */
export function auditRoutes({ app, services }: Control): void {
  app.get('/audit', async (c) => {
    const { data, error } = AuditQuery.safeParse(c.req.query())
    if (error) throw httpError(400, z.prettifyError(error))
    const { since, after, until, project, limit } = data
    const { unscoped } = (await services()).database
    const { rows } = await unscoped.execute(sql`
      select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, instance,
        request_id as "requestId", actor, operation, project, action, kind, records,
        total::float8 as total
      from servicekit.audit
      where (at, id) > (${since}::timestamptz, ${after}::uuid) and at < ${until}::timestamptz
        and (${project}::text is null or project = ${project})
      order by audit.at, id limit ${limit}`)
    return c.json(rows)
  })
}
