import { data as wire } from '@servicekit/contract'
import { asc, count } from 'drizzle-orm'
import { dataSchemas } from '../database/tables.ts'
import { json } from '../http/answer.ts'
import { serve } from '../http/mount.ts'
import type { Dialect } from '../projects/dialect.ts'

/** Returns a schema with its mutations in the project's dialect. */
function listed(definition: wire.DataSchema, { mutationNames }: Dialect): wire.DataSchema {
  const { mutationSchemas } = definition
  if (mutationNames === 'asGiven' || !mutationSchemas) return definition
  const names = mutationSchemas.map((entry) => (typeof entry === 'string' ? entry : entry.name))
  const isText = mutationNames === 'texts'
  return { ...definition, mutationSchemas: isText ? names : names.map((name) => ({ name })) }
}

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
        const items = rows.map(({ definition }) =>
          listed(definition as wire.DataSchema, project.dialect),
        )
        return { totalCount: total!.n, items }
      },
      { isReadOnly: true },
    )
    const head = { isSuccess: true, message: null, httpStatusCode: 200, errors: null }
    return json(project.dialect.schemaList === 'data' ? { ...head, data } : { ...head, ...data })
  }),
  serve(wire.execute, async (call) => {
    const gateway = await call.services.gateway()
    return json(await gateway.execute(call.project, call.body, call))
  }),
]
