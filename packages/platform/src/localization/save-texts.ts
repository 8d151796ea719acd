import { sql } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'

/** Texts of one file, by the numbers of its language and module. */
export interface FileTexts {
  readonly languageId: number
  readonly moduleId: number
  readonly texts: ReadonlyMap<string, string | null>
}

/** One file of which a text changed. */
export interface ChangedFile {
  readonly languageId: number
  readonly moduleId: number
}

/** Rows per statement: large enough to be fast, small enough to be one message. */
const chunkSize = 20_000

/**
 * Writes texts, in few statements however many there are.
 *
 * @param isWhole whether each file is given whole, so that keys it does not hold go.
 * @returns the files in which anything is now different.
 */
export async function saveTexts(
  tables: Tables,
  projectId: number,
  files: readonly FileTexts[],
  isWhole: boolean,
): Promise<readonly ChangedFile[]> {
  const keyIds = await ensureKeys(tables, projectId, files)
  const changed = new Map<string, ChangedFile>()
  const note = (rows: readonly Record<string, unknown>[]): void => {
    for (const row of rows) {
      const file = { languageId: row['language_id'], moduleId: row['module_id'] } as ChangedFile
      changed.set(`${file.languageId} ${file.moduleId}`, file)
    }
  }
  for (const chunk of chunksOf(files, keyIds)) note(await upsert(tables, projectId, chunk))
  if (isWhole) {
    for (const file of await tooLong(tables, files)) note(await removeOthers(tables, file, keyIds))
    await removeUnusedKeys(tables, [...new Set(files.map(({ moduleId }) => moduleId))])
  }
  return [...changed.values()]
}

type KeyIds = ReadonlyMap<number, ReadonlyMap<string, number>>

/** Numbers of all keys of the files, by module and key; new ones are made. */
async function ensureKeys(
  tables: Tables,
  projectId: number,
  files: readonly FileTexts[],
): Promise<KeyIds> {
  const wanted = new Map<number, Set<string>>()
  for (const { moduleId, texts } of files) {
    const keys = wanted.get(moduleId) ?? new Set<string>()
    for (const key of texts.keys()) keys.add(key)
    wanted.set(moduleId, keys)
  }
  const found = new Map<number, Map<string, number>>()
  for (const [moduleId, keys] of wanted) {
    const { rows } = await tables.execute<{ id: number; key: string }>(sql`
      with made as (
        insert into servicekit.keys (project_id, module_id, key)
        select ${projectId}::int, ${moduleId}::int, key
        from unnest(${sql.param([...keys])}::text[]) as key
        on conflict do nothing returning id, key
      )
      select id, key from made
      union all select id, key from servicekit.keys where module_id = ${moduleId}`)
    found.set(moduleId, new Map(rows.map(({ id, key }) => [key, id])))
  }
  return found
}

interface Chunk {
  readonly moduleIds: number[]
  readonly languageIds: number[]
  readonly keyIds: number[]
  readonly values: (string | null)[]
}

function* chunksOf(files: readonly FileTexts[], keyIds: KeyIds): Generator<Chunk> {
  const empty = (): Chunk => ({ moduleIds: [], languageIds: [], keyIds: [], values: [] })
  let chunk = empty()
  for (const { moduleId, languageId, texts } of files) {
    const ids = keyIds.get(moduleId)!
    for (const [key, value] of texts) {
      chunk.moduleIds.push(moduleId)
      chunk.languageIds.push(languageId)
      chunk.keyIds.push(ids.get(key)!)
      chunk.values.push(value)
    }
    if (chunk.values.length >= chunkSize) {
      yield chunk
      chunk = empty()
    }
  }
  if (chunk.values.length > 0) yield chunk
}

async function upsert(tables: Tables, projectId: number, chunk: Chunk) {
  const { rows } = await tables.execute(sql`
    with written as (
      insert into servicekit.texts as old (project_id, module_id, language_id, key_id, value)
      select ${projectId}::int, u.* from unnest(
        ${sql.param(chunk.moduleIds)}::int[], ${sql.param(chunk.languageIds)}::int[],
        ${sql.param(chunk.keyIds)}::int[], ${sql.param(chunk.values)}::text[]
      ) as u
      on conflict (module_id, language_id, key_id) do update set value = excluded.value
      where old.value is distinct from excluded.value
      returning module_id, language_id
    )
    select distinct module_id, language_id from written`)
  return rows
}

/** Of the files, those that hold more texts than they were given. */
async function tooLong(tables: Tables, files: readonly FileTexts[]): Promise<FileTexts[]> {
  const { rows } = await tables.execute<{ module_id: number; language_id: number; n: number }>(sql`
    select module_id, language_id, count(*)::int as n from servicekit.texts
    where module_id = any(${sql.param([...new Set(files.map(({ moduleId }) => moduleId))])}::int[])
    group by module_id, language_id`)
  const sizes = new Map(rows.map((row) => [`${row.language_id} ${row.module_id}`, row.n]))
  return files.filter(
    ({ languageId, moduleId, texts }) => (sizes.get(`${languageId} ${moduleId}`) ?? 0) > texts.size,
  )
}

async function removeOthers(tables: Tables, file: FileTexts, keyIds: KeyIds) {
  const ids = keyIds.get(file.moduleId)!
  const kept = [...file.texts.keys()].map((key) => ids.get(key)!)
  const { rows } = await tables.execute(sql`
    delete from servicekit.texts
    where module_id = ${file.moduleId} and language_id = ${file.languageId}
      and not key_id = any(${sql.param(kept)}::int[])
    returning module_id, language_id`)
  return rows
}

async function removeUnusedKeys(tables: Tables, moduleIds: readonly number[]) {
  await tables.execute(sql`
    delete from servicekit.keys k where k.module_id = any(${sql.param(moduleIds)}::int[])
      and not exists (
        select from servicekit.texts t where t.module_id = k.module_id and t.key_id = k.id
      )`)
}
