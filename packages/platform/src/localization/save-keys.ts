import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import type { FileTexts } from './save-texts.ts'

/** Database ids of keys, by module and key. */
export type KeyIds = ReadonlyMap<number, ReadonlyMap<string, number>>

/** Keys of the files' modules. */
export interface SavedKeys {
  readonly ids: KeyIds
  /** True if any key existed before, so that there may be translations. */
  readonly hadKeys: boolean
}

/** Finds the keys of the files and creates the missing ones. */
export async function saveKeys(
  tables: Tables,
  projectId: number,
  files: readonly FileTexts[],
  isNew: boolean,
): Promise<SavedKeys> {
  const moduleIds = [...new Set(files.map(({ moduleId }) => moduleId))]
  const old = isNew ? [] : await select(tables, moduleIds)
  const ids = new Map(moduleIds.map((id) => [id, new Map<string, number>()]))
  const note = (rows: readonly KeyRow[]): void => {
    for (const { id, module_id, key } of rows) ids.get(module_id)!.set(key, id)
  }
  note(old)
  const missing = new Map<string, { moduleId: number; key: string }>()
  for (const { moduleId, texts } of files) {
    const known = ids.get(moduleId)!
    for (const key of texts.keys()) {
      if (!known.has(key)) missing.set(`${moduleId} ${key}`, { moduleId, key })
    }
  }
  if (missing.size > 0) note(await insert(tables, projectId, [...missing.values()]))
  return { ids, hadKeys: old.length > 0 }
}

type KeyRow = { readonly id: number; readonly module_id: number; readonly key: string }

async function select(tables: Tables, moduleIds: readonly number[]): Promise<readonly KeyRow[]> {
  const { rows } = await tables.execute<KeyRow>(sql`
    select id, module_id, key from servicekit.keys
    where module_id = any(${sql.param(moduleIds)}::int[])`)
  return rows
}

async function insert(
  tables: Tables,
  projectId: number,
  keys: readonly { readonly moduleId: number; readonly key: string }[],
): Promise<readonly KeyRow[]> {
  const { rows } = await tables.execute<KeyRow>(sql`
    insert into servicekit.keys (project_id, module_id, key)
    select ${projectId}::int, u.* from unnest(
      ${sql.param(keys.map(({ moduleId }) => moduleId))}::int[],
      ${sql.param(keys.map(({ key }) => key))}::text[]
    ) as u
    returning id, module_id, key`)
  return rows
}

/** Removes keys that have no translation in any language. */
export async function removeUnusedKeys(tables: Tables, ids: KeyIds): Promise<void> {
  await tables.execute(sql`
    delete from servicekit.keys k where k.module_id = any(${sql.param([...ids.keys()])}::int[])
      and not exists (
        select from servicekit.texts t where t.module_id = k.module_id and t.key_id = k.id
      )`)
}
