import type { data } from '@servicekit/contract'
import { asc, eq, inArray } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { dataSchemas } from '../database/tables.ts'

/** Schema definition with its row. */
export interface StoredSchema {
  readonly id: number
  readonly position: number
  readonly definition: data.DataSchema
}

/** Reads the schemas of the scope's project, in order. */
export async function readSchemas(tables: Tables): Promise<readonly StoredSchema[]> {
  const { id, position, definition } = dataSchemas
  return (await tables
    .select({ id, position, definition })
    .from(dataSchemas)
    .orderBy(asc(position))) as readonly StoredSchema[]
}

/**
 * Replaces the schemas of the scope's project, in this order. Writes only what changed.
 *
 * @param old the stored schemas.
 * @returns true if anything was written.
 */
export async function saveSchemas(
  tables: Tables,
  projectId: number,
  schemas: readonly data.DataSchema[],
  old: readonly StoredSchema[],
): Promise<boolean> {
  const byName = new Map(old.map((one) => [one.definition.schemaName, one]))
  const added: (typeof dataSchemas.$inferInsert)[] = []
  let isChanged = false
  for (const [position, definition] of schemas.entries()) {
    const name = definition.schemaName
    const known = byName.get(name)
    byName.delete(name)
    if (!known) added.push({ projectId, position, name, definition })
    else if (known.position !== position || !isSame(known.definition, definition)) {
      isChanged = true
      await tables
        .update(dataSchemas)
        .set({ position, definition })
        .where(eq(dataSchemas.id, known.id))
    }
  }
  const gone = [...byName.values()].map(({ id }) => id)
  if (gone.length > 0) await tables.delete(dataSchemas).where(inArray(dataSchemas.id, gone))
  if (added.length > 0) await tables.insert(dataSchemas).values(added)
  return isChanged || gone.length > 0 || added.length > 0
}

const isSame = (a: data.DataSchema, b: data.DataSchema): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)
