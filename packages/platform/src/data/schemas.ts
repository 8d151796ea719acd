import type { data } from '@servicekit/contract'
import { asc, eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { dataSchemas } from '../database/tables.ts'
import { bumpSchemas } from '../projects/versions.ts'

/** Reads the schemas of the scope's project, in order. */
export async function readSchemas(tables: Tables): Promise<readonly data.DataSchema[]> {
  const rows = await tables.select().from(dataSchemas).orderBy(asc(dataSchemas.position))
  return rows.map(({ definition }) => definition)
}

export async function findSchema(
  tables: Tables,
  name: string,
): Promise<data.DataSchema | undefined> {
  const [row] = await tables.select().from(dataSchemas).where(eq(dataSchemas.name, name))
  return row?.definition
}

/**
 * Replaces the schemas of the scope's project, in this order.
 *
 * @returns true if any of them changed.
 */
export async function saveSchemas(
  tables: Tables,
  projectId: number,
  schemas: readonly data.DataSchema[],
): Promise<boolean> {
  if (JSON.stringify(await readSchemas(tables)) === JSON.stringify(schemas)) return false
  await tables.delete(dataSchemas)
  const rows = schemas.map((definition, position) => {
    return { projectId, position, name: definition.schemaName, definition }
  })
  if (rows.length > 0) await tables.insert(dataSchemas).values(rows)
  await bumpSchemas(tables, projectId)
  return true
}
