import type { data } from '@servicekit/contract'
import { eq } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { dataSchemas } from '../database/tables.ts'

/**
 * Replaces a project's schemas if any of them, or their order, is different.
 *
 * @returns whether they were.
 */
export async function saveSchemas(
  tables: Tables,
  projectId: number,
  schemas: readonly data.DataSchema[],
): Promise<boolean> {
  const old = await tables.select().from(dataSchemas).orderBy(dataSchemas.position)
  if (JSON.stringify(old.map(({ definition }) => definition)) === JSON.stringify(schemas)) {
    return false
  }
  if (old.length > 0) {
    await tables.delete(dataSchemas).where(eq(dataSchemas.projectId, projectId))
  }
  if (schemas.length > 0) {
    await tables.insert(dataSchemas).values(
      schemas.map((definition, position) => ({
        projectId,
        position,
        name: definition.schemaName,
        definition,
      })),
    )
  }
  return true
}
