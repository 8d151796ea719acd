import { data as wire } from '@servicekit/contract'
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { dataSchemas } from '../database/tables.ts'
import { json } from '../http/responses.ts'
import { implement } from '../http/mount.ts'
import type { SchemaQuery } from '../http/wide-schemas.ts'

/** Operations of section 4.5. */
export const dataOperations = [
  implement(wire.listSchemas, async ({ snapshot, query }) => {
    // Parsed by the wider schema.
    const { PageNo, PageSize, ...filters } = query as z.output<typeof SchemaQuery>
    const where = matching(filters)
    const data = await snapshot(async (tables) => {
      const rows = await tables
        .select()
        .from(dataSchemas)
        .where(where)
        .orderBy(asc(dataSchemas.position))
        .limit(PageSize)
        .offset((PageNo - 1) * PageSize)
      const items = rows.map(({ definition }) => definition)
      return { totalCount: await tables.$count(dataSchemas, where), items }
    })
    return json({ isSuccess: true, message: null, httpStatusCode: 200, errors: null, data })
  }),
  implement(
    wire.execute,
    async (call) => {
      const { execute } = await call.services.gateway()
      return json(await execute(call.project, call.body, call.caller))
    },
    { isExact: true },
  ),
]

function matching({
  SchemaName,
  Keyword,
  SchemaType,
}: Omit<z.output<typeof SchemaQuery>, 'PageNo' | 'PageSize'>): SQL | undefined {
  const { name, definition } = dataSchemas
  return and(
    SchemaName === undefined ? undefined : eq(name, SchemaName),
    Keyword === undefined ? undefined : sql`strpos(lower(${name}), lower(${Keyword})) > 0`,
    SchemaType
      ? sql`coalesce(${definition} ->> 'schemaType', '1') = ${String(SchemaType)}`
      : undefined,
  )
}
