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
  const rows = await tables.select().from(dataSchemas).orderBy(asc(dataSchemas.position))
  return rows as readonly StoredSchema[]
}

/** Finds a schema of the scope's project by name. */
export async function findSchema(tables: Tables, name: string): Promise<StoredSchema | undefined> {
  const [row] = await tables.select().from(dataSchemas).where(eq(dataSchemas.name, name))
  return row as StoredSchema | undefined
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
  const removed = new Map(old.map((one) => [one.definition.schemaName, one]))
  const added: (typeof dataSchemas.$inferInsert)[] = []
  let isChanged = false
  for (const [position, definition] of schemas.entries()) {
    const name = definition.schemaName
    const stored = removed.get(name)
    removed.delete(name)
    if (!stored) added.push({ projectId, position, name, definition })
    else if (stored.position !== position || !isSame(stored.definition, definition)) {
      isChanged = true
      const row = { position, definition }
      await tables.update(dataSchemas).set(row).where(eq(dataSchemas.id, stored.id))
    }
  }
  const removedIds = [...removed.values()].map(({ id }) => id)
  if (removedIds.length > 0) {
    await tables.delete(dataSchemas).where(inArray(dataSchemas.id, removedIds))
  }
  if (added.length > 0) await tables.insert(dataSchemas).values(added)
  return isChanged || removedIds.length > 0 || added.length > 0
}

const isSame = (a: data.DataSchema, b: data.DataSchema): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)
