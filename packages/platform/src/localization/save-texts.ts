import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { removeUnusedKeys, saveKeys } from './save-keys.ts'

/** Translations of one file, identified by its language and module ids. */
export interface FileTexts {
  readonly languageId: number
  readonly moduleId: number
  readonly texts: ReadonlyMap<string, string | null>
}

/** File in which a translation changed. */
export interface ChangedFile {
  readonly languageId: number
  readonly moduleId: number
}

/** Rows per statement: large enough to be fast, small enough for one protocol message. */
const chunkSize = 20_000

/** Options for saving translations. */
export interface SaveTextsOptions {
  /** True if each file is complete, so that keys missing from it are removed. */
  readonly isWhole: boolean
  /** True if the project was just created, so that it has no translations. */
  readonly isNew: boolean
}

/**
 * Writes the translations that differ, in few statements regardless of their number. The
 * caller holds the lock on the project's row.
 *
 * @returns the files in which anything changed.
 */
export async function saveTexts(
  tables: Tables,
  projectId: number,
  files: readonly FileTexts[],
  { isWhole, isNew }: SaveTextsOptions,
): Promise<readonly ChangedFile[]> {
  const { ids, hadKeys } = await saveKeys(tables, projectId, files, isNew)
  const added = chunked((chunk) => insert(tables, projectId, chunk))
  const changed = chunked((chunk) => update(tables, chunk))
  const removed = chunked((chunk) => remove(tables, chunk))
  const touched = new Set<FileTexts>()

  for (const batch of byLanguage(files)) {
    const stored = hadKeys ? await readStored(tables, batch) : new Map<number, StoredTexts>()
    for (const file of batch) {
      const { languageId, moduleId, texts } = file
      const old = stored.get(moduleId) ?? new Map<number, string | null>()
      const wanted = new Set<number>()
      for (const [key, value] of texts) {
        const keyId = ids.get(moduleId)!.get(key)!
        wanted.add(keyId)
        if (old.has(keyId) && old.get(keyId) === value) continue
        touched.add(file)
        await (old.has(keyId) ? changed : added).add({ moduleId, languageId, keyId, value })
      }
      if (!isWhole) continue
      for (const keyId of old.keys()) {
        if (wanted.has(keyId)) continue
        touched.add(file)
        await removed.add({ moduleId, languageId, keyId, value: null })
      }
    }
  }
  for (const writer of [added, changed, removed]) await writer.end()
  if (removed.count() > 0) await removeUnusedKeys(tables, ids)
  return [...touched].map(({ languageId, moduleId }) => ({ languageId, moduleId }))
}

interface Row {
  readonly moduleId: number
  readonly languageId: number
  readonly keyId: number
  readonly value: string | null
}

/** Buffers rows and writes one statement per chunk. */
function chunked(write: (rows: readonly Row[]) => Promise<unknown>) {
  let rows: Row[] = []
  let count = 0
  const flush = async (): Promise<void> => {
    const full = rows
    rows = []
    if (full.length > 0) await write(full)
  }
  return {
    add: async (row: Row): Promise<void> => {
      count++
      if (rows.push(row) >= chunkSize) await flush()
    },
    end: flush,
    count: () => count,
  }
}

/** Groups files into batches of one language; stored translations are compared per batch. */
function byLanguage(files: readonly FileTexts[]): readonly (readonly FileTexts[])[] {
  const batches = new Map<number, FileTexts[]>()
  for (const file of files) {
    const batch = batches.get(file.languageId) ?? []
    batch.push(file)
    batches.set(file.languageId, batch)
  }
  return [...batches.values()]
}

type StoredTexts = Map<number, string | null>

/** Reads the stored translations of a batch's files, by module and key. */
async function readStored(tables: Tables, batch: readonly FileTexts[]) {
  const moduleIds = batch.map(({ moduleId }) => moduleId)
  const { rows } = await tables.execute<{ m: number; k: number; v: string | null }>(sql`
    select module_id as m, key_id as k, value as v from servicekit.texts
    where language_id = ${batch[0]!.languageId}
      and module_id = any(${sql.param(moduleIds)}::int[])`)
  const stored = new Map<number, StoredTexts>()
  for (const { m, k, v } of rows) {
    const texts: StoredTexts = stored.get(m) ?? new Map<number, string | null>()
    stored.set(m, texts.set(k, v))
  }
  return stored
}

/** Rows as the table `u`, from which each statement selects what it needs. */
const given = (rows: readonly Row[]) => sql`unnest(
  ${sql.param(rows.map(({ moduleId }) => moduleId))}::int[],
  ${sql.param(rows.map(({ languageId }) => languageId))}::int[],
  ${sql.param(rows.map(({ keyId }) => keyId))}::int[],
  ${sql.param(rows.map(({ value }) => value))}::text[]
) as u (module_id, language_id, key_id, value)`

const isRow = sql`t.module_id = u.module_id and t.language_id = u.language_id
  and t.key_id = u.key_id`

const insert = (tables: Tables, projectId: number, rows: readonly Row[]) =>
  tables.execute(sql`
    insert into servicekit.texts (project_id, module_id, language_id, key_id, value)
    select ${projectId}::int, u.* from ${given(rows)}`)

const update = (tables: Tables, rows: readonly Row[]) =>
  tables.execute(sql`
    update servicekit.texts t set value = u.value from ${given(rows)} where ${isRow}`)

const remove = (tables: Tables, rows: readonly Row[]) =>
  tables.execute(sql`delete from servicekit.texts t using ${given(rows)} where ${isRow}`)
