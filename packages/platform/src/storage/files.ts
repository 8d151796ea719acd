import { and, desc, eq, inArray, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { contains, type PageRequest, withPage } from '../database/list-page.ts'
import type { Project } from '../projects/project-directory.ts'
import type { StoredBytes, StoredObject } from './backend.ts'
import { storedFiles } from './tables.ts'

/** File as the database stores it. */
export type FileRow = typeof storedFiles.$inferSelect

/** Returns true if anyone may read a file. */
export const isPublic = ({ accessModifier }: FileRow): boolean =>
  accessModifier.toLowerCase() === 'public'

/** Converts a row to the object that backends use. */
export const objectOf = (
  { key }: Project,
  { itemId, systemName, name: displayName }: FileRow,
): StoredObject => ({ projectKey: key, itemId, systemName, name: displayName })

/** Finds a file by id, with or without bytes. */
export async function findFile(tables: Tables, itemId: string): Promise<FileRow | undefined> {
  const [row] = await tables.select().from(storedFiles).where(eq(storedFiles.itemId, itemId))
  return row
}

/** Marks a file as uploaded; each upload is a version. */
export const markStored = (
  tables: Tables,
  itemId: string,
  { sizeInBytes, contentType }: StoredBytes,
  now: Date,
): Promise<unknown> =>
  tables
    .update(storedFiles)
    .set({
      sizeInBytes,
      contentType: contentType ?? null,
      storedAt: now,
      lastUpdatedDate: now,
      currentVersion: sql`${storedFiles.currentVersion} + 1`,
    })
    .where(eq(storedFiles.itemId, itemId))

/** Lists files not yet known to have bytes, newest first. */
export const listPending = (tables: Tables, configurations: readonly string[], limit: number) =>
  tables
    .select()
    .from(storedFiles)
    .where(
      and(
        isNull(storedFiles.storedAt),
        inArray(storedFiles.configurationName, [...configurations]),
      ),
    )
    .orderBy(desc(storedFiles.seq))
    .limit(limit)

/** Removes files that were announced before an instant and never uploaded. */
export const removeAbandoned = (tables: Tables, before: Date): Promise<unknown> =>
  tables
    .delete(storedFiles)
    .where(and(isNull(storedFiles.storedAt), lt(storedFiles.createdDate, before)))

const { name, sizeInBytes, createdDate, lastUpdatedDate, currentVersion } = storedFiles
const sortable = { name, sizeInBytes, createdDate, lastUpdatedDate, currentVersion }

/** Returns one page of the uploaded files. */
export async function listFiles(
  tables: Tables,
  filter: Readonly<Record<string, unknown>>,
  page: PageRequest,
) {
  const where = and(isNotNull(storedFiles.storedAt), ...conditions(filter))
  const found = tables.select().from(storedFiles).where(where).$dynamic()
  const rows = await withPage(found, storedFiles.seq, page, sortable)
  return { rows, totalCount: await tables.$count(storedFiles, where) }
}

/** Builds the conditions of a filter; unknown members are ignored. */
function conditions(filter: Readonly<Record<string, unknown>>): SQL[] {
  const members = new Map(
    Object.entries(filter).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const found: (SQL | undefined)[] = [
    textOf(members, ['name', 'search'], (text) => contains(storedFiles.name, text)),
    textOf(members, ['parentdirectoryid'], (text) => eq(storedFiles.parentDirectoryId, text)),
    textOf(members, ['configurationname'], (text) => eq(storedFiles.configurationName, text)),
    textOf(
      members,
      ['accessmodifier'],
      (text) => sql`lower(${storedFiles.accessModifier}) = lower(${text})`,
    ),
  ]
  const ids = listIn(members, ['itemids', 'fileids', 'ids', 'itemid', 'fileid'])
  if (ids.length > 0) found.push(inArray(storedFiles.itemId, ids))
  const tags = listIn(members, ['tags', 'tag'])
  if (tags.length > 0) found.push(sql`${storedFiles.tags} && ${sql.param(tags)}::text[]`)
  const module = members.get('modulename')
  if (typeof module === 'number') found.push(eq(storedFiles.moduleName, module))
  return found.filter((one) => one !== undefined)
}

function textOf(
  members: ReadonlyMap<string, unknown>,
  names: readonly string[],
  make: (text: string) => SQL | undefined,
): SQL | undefined {
  const value = names.map((name) => members.get(name)).find((one) => one !== undefined)
  return typeof value === 'string' && value !== '' ? make(value) : undefined
}

/** Reads a member that is a string or a list of strings. */
function listIn(members: ReadonlyMap<string, unknown>, names: readonly string[]): string[] {
  const value = names.map((name) => members.get(name)).find((one) => one !== undefined)
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
