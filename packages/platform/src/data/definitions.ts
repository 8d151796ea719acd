import type { data as wire } from '@servicekit/contract'
import { sql } from 'drizzle-orm'
import { lru } from '../common/lru.ts'
import type { Tables } from '../database/database.ts'
import { type ReadMemo, readMemo } from './model.ts'

/** Schema definition, as stored in its row. */
export interface StoredSchema {
  readonly id: number
  readonly position: number
  readonly definition: wire.DataSchema
}

/** Reads schema definitions, and caches those that did not change. */
export interface Definitions {
  readonly read: (tables: Tables, projectId: number) => Promise<readonly StoredSchema[]>
  /** Cache of the fields that models read from definitions. */
  readonly memo: ReadMemo
}

/** Number of projects whose definitions are cached. */
const kept = 100

interface Known {
  /** Id of the transaction that wrote the row. */
  readonly version: string
  readonly definition: wire.DataSchema
}

/** Creates an empty cache of definitions. */
export function definitionsOf(): Definitions {
  const memory = lru<ReadonlyMap<number, Known>>(kept)
  return {
    memo: readMemo(),
    read: async (tables, projectId) => {
      const key = String(projectId)
      const known = memory.get(key)
      const rows = await rowsOf(tables)
      const isNew = ({ id, version }: Row): boolean => known?.get(id)?.version !== version
      const fresh = await definitionsBy(
        tables,
        rows.filter(isNew).map(({ id }) => id),
      )
      const next = new Map<number, Known>()
      const stored = rows.map(({ id, position, version }): StoredSchema => {
        const definition = fresh.get(id) ?? known!.get(id)!.definition
        next.set(id, { version, definition })
        return { id, position, definition }
      })
      memory.set(key, next)
      return stored
    },
  }
}

interface Row extends Record<string, unknown> {
  readonly id: number
  readonly position: number
  readonly version: string
}

const rowsOf = async (tables: Tables): Promise<readonly Row[]> =>
  (
    await tables.execute<Row>(sql`
      select id, position, xmin::text as version from servicekit.data_schemas order by position`)
  ).rows

/** Returns definitions by row id. */
async function definitionsBy(tables: Tables, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, wire.DataSchema>()
  const { rows } = await tables.execute<{ id: number; definition: wire.DataSchema }>(sql`
    select id, definition from servicekit.data_schemas where id = any(${sql.param(ids)}::int[])`)
  return new Map(rows.map(({ id, definition }) => [id, definition]))
}
