import { data as wire } from '@servicekit/contract'
import { asc, count } from 'drizzle-orm'
import { dataSchemas } from '../database/tables.ts'
import { json } from '../http/responses.ts'
import { serve } from '../http/mount.ts'

/** Operations of section 4.5. */
export const dataOperations = [
  serve(wire.listSchemas, async ({ services, project, query }) => {
    const { PageNo, PageSize } = query
    const data = await services.database.scoped(
      project.id,
      async (tables) => {
        const rows = await tables
          .select({ definition: dataSchemas.definition })
          .from(dataSchemas)
          .orderBy(asc(dataSchemas.position))
          .limit(PageSize)
          .offset((PageNo - 1) * PageSize)
        const [total] = await tables.select({ n: count() }).from(dataSchemas)
        return { totalCount: total!.n, items: rows.map(({ definition }) => definition) }
      },
      { isReadOnly: true },
    )
    return json({ isSuccess: true, message: null, httpStatusCode: 200, errors: null, data })
  }),
  serve(wire.execute, async (call) => {
    const gateway = await call.services.gateway()
    return json(await gateway.execute(call.project, call.body, call.caller))
  }),
]
