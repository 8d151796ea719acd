import { and, arrayOverlaps, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import type { Tables } from '../database/database.ts'
import { contains, type PageRequest, readPage } from '../database/list-page.ts'
import type { Project } from '../database/project-directory.ts'
import type { StoredBytes, StoredObject } from './backend.ts'
import { storedFiles } from '../database/tables.ts'

export type FileRow = typeof storedFiles.$inferSelect

/** Columns that find the bytes of a file. */
export type FileRef = Pick<
  FileRow,
  'itemId' | 'systemName' | 'name' | 'configurationName' | 'contentType'
>

export const isPublic = ({ accessModifier }: FileRow): boolean =>
  accessModifier.toLowerCase() === 'public'

export const objectOf = (
  { key }: Pick<Project, 'key'>,
  { itemId, systemName, name: displayName }: Omit<FileRef, 'contentType'>,
): StoredObject => ({ projectKey: key, itemId, systemName, name: displayName })

export async function findFile(tables: Tables, itemId: string): Promise<FileRow | undefined> {
  const [row] = await tables.select().from(storedFiles).where(eq(storedFiles.itemId, itemId))
  return row
}

/**
 * Locks the record of a file until the transaction ends. Uploads of one file store their bytes
 * and what the record says about them under this lock, so that both are of the same upload.
 *
 * @returns undefined if the record was removed.
 */
export async function lockFile(tables: Tables, itemId: string): Promise<FileRow | undefined> {
  const all = tables.select().from(storedFiles)
  const [row] = await all.where(eq(storedFiles.itemId, itemId)).for('update')
  return row
}

/** Marks a file as uploaded; each upload is a version. */
export const markStored = (
  tables: Tables,
  itemId: string,
  { sizeInBytes, contentType }: Omit<StoredBytes, 'etag'>,
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

const { name, sizeInBytes, createdDate, lastUpdatedDate, currentVersion } = storedFiles
const sortable = { name, sizeInBytes, createdDate, lastUpdatedDate, currentVersion }

export async function listFiles(
  tables: Tables,
  filter: Readonly<Record<string, unknown>>,
  page: PageRequest,
) {
  const where = and(isNotNull(storedFiles.storedAt), conditionOf(filter))
  const all = tables.select().from(storedFiles).$dynamic()
  return readPage(tables, all, storedFiles, where, page, sortable)
}

/** Builds the condition of a filter; unknown members are ignored. */
function conditionOf(filter: Readonly<Record<string, unknown>>): SQL | undefined {
  const members = new Map(
    Object.entries(filter).map(([member, value]) => [member.toLowerCase(), value]),
  )
  const list = (...names: readonly string[]): string[] =>
    [names.map((one) => members.get(one)).find((one) => one !== undefined)]
      .flat()
      .filter((one): one is string => typeof one === 'string' && one !== '')
  const where = (member: string, condition: (text: string) => SQL | undefined) => {
    const value = members.get(member)
    return typeof value === 'string' && value !== '' ? condition(value) : undefined
  }
  const ids = list('itemids', 'fileids', 'ids', 'itemid', 'fileid')
  const tags = list('tags', 'tag')
  const module = members.get('modulename')
  return and(
    where(members.has('name') ? 'name' : 'search', (text) => contains(name, text)),
    where('parentdirectoryid', (text) => eq(storedFiles.parentDirectoryId, text)),
    where('configurationname', (text) => eq(storedFiles.configurationName, text)),
    where('accessmodifier', (text) => sql`lower(${storedFiles.accessModifier}) = lower(${text})`),
    ids.length > 0 ? inArray(storedFiles.itemId, ids) : undefined,
    tags.length > 0 ? arrayOverlaps(storedFiles.tags, tags) : undefined,
    typeof module === 'number' ? eq(storedFiles.moduleName, module) : undefined,
  )
}
