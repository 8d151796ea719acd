import { data as wire } from '@servicekit/contract'
import { asc } from 'drizzle-orm'
import { dataSchemas } from '../database/tables.ts'
import { json } from '../http/responses.ts'
import { serve } from '../http/mount.ts'

/** Operations of section 4.5. */
export const dataOperations = [
  serve(wire.listSchemas, async ({ snapshot, query: { PageNo, PageSize } }) => {
    const data = await snapshot(async (tables) => {
      const rows = await tables
        .select()
        .from(dataSchemas)
        .orderBy(asc(dataSchemas.position))
        .limit(PageSize)
        .offset((PageNo - 1) * PageSize)
      const items = rows.map(({ definition }) => definition)
      return { totalCount: await tables.$count(dataSchemas), items }
    })
    return json({ isSuccess: true, message: null, httpStatusCode: 200, errors: null, data })
  }),
  serve(
    wire.execute,
    async (call) => {
      const executeRequest = await call.services.gateway()
      return json(await executeRequest(call.project, call.body, call.caller))
    },
    { isExact: true },
  ),
]
