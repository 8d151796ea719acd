import { and, asc, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import type { Tables } from '../database/database.ts'
import { storedFiles } from '../database/tables.ts'
import type { Project } from '../database/project-directory.ts'
import { addJob, delayJob, finishJob, type JobHandler } from '../queue/queue.ts'
import type { Services } from '../services.ts'
import { type Backend, type StoredBytes, urlLifetimes } from './backend.ts'
import { type FileRow, lockFile, markStored, objectOf } from './files.ts'
import { StorageError } from './storage-error.ts'

/*
 * Clients send the bytes of a file to its storage, which tells the platform nothing. A job looks
 * at the object until its signed URLs have expired, so that lists and counts only read the
 * database. The platform sees uploads to local files itself; their job removes abandoned records.
 */

/** Lifetime of the URL that starts an upload in parts, in seconds. */
export const multipartSeconds = 3600

/** Time in ms from the signed URL to the first look, and the shortest time between two. */
const firstLookMs = 1000
/** The time between two looks is this part of the age of the URL. */
const growth = 0.5
/** Time in ms that an upload may take that began just before its URL expired. */
const transferMs = 3_600_000
/** Time in ms until the next look after the last one failed. */
const retryMs = 600_000

/** Returns when the last look is due: after it, no upload can arrive. */
function lastLookAt({ createdDate }: FileRow, { multipart }: Backend): Date {
  const seconds = urlLifetimes.upload + (multipart ? multipartSeconds : 0)
  return new Date(createdDate.getTime() + seconds * 1000 + transferMs)
}

/** Adds the job that looks for the bytes of a new file. */
export const addUploadJob = (tables: Tables, file: FileRow, backend: Backend): Promise<void> =>
  addJob(tables, {
    kind: 'upload',
    projectId: file.projectId,
    subject: file.seq,
    runAt: backend.local
      ? lastLookAt(file, backend)
      : new Date(file.createdDate.getTime() + firstLookMs),
  })

/** Ends the job of a file whose bytes the platform received itself. */
export const endUploadJob = (tables: Tables, { seq }: Pick<FileRow, 'seq'>): Promise<unknown> =>
  tables.execute(sql`delete from servicekit.jobs where kind = 'upload' and subject = ${seq}`)

/**
 * Looks at the object of one upload per job. A file can be replaced while its URLs are valid, so
 * that looks continue after the first upload. The last one removes a record without bytes.
 */
export function uploadSettling(services: Services): JobHandler {
  const { database, options, projects, storage } = services
  return async (job) => {
    const project = (await projects.list()).find(({ id }) => id === job.projectId)
    const row = await database.scoped(job.projectId, async (tables) => {
      const [found] = await tables
        .select()
        .from(storedFiles)
        .where(eq(storedFiles.seq, job.subject))
      return found
    })
    const backend = row && (await storage.backend(row.configurationName))
    // Without its storage, nothing is known about a file; its record stays.
    if (!project || !row || !backend) return finishJob(database.unscoped, job)
    const now = options.now().getTime()
    const last = lastLookAt(row, backend).getTime()
    const isLast = now >= last
    const next = now + Math.max(firstLookMs, (now - row.createdDate.getTime()) * growth)
    try {
      await settleFile(services, project, backend, row)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      options.onError(error)
      const later = isLast ? now + retryMs : Math.min(next, last)
      return delayJob(database.unscoped, job, new Date(later))
    }
    if (!isLast) return delayJob(database.unscoped, job, new Date(Math.min(next, last)))
    await database.scoped(job.projectId, async (tables) => {
      const isAbandoned = and(eq(storedFiles.seq, job.subject), isNull(storedFiles.storedAt))
      await tables.delete(storedFiles).where(isAbandoned)
      await finishJob(tables, job)
    })
  }
}

/**
 * Looks at the object of a file, and records its bytes.
 *
 * @returns true if the file has bytes.
 * @throws StorageError
 */
export async function settleFile(
  { database, options }: Services,
  project: Pick<Project, 'id' | 'key'>,
  backend: Backend,
  row: FileRow,
): Promise<boolean> {
  // The platform records uploads to local files itself, with their bytes.
  if (backend.local) return row.storedAt !== null
  const object = objectOf(project, row)
  const found = await backend.stat(object)
  if (!found) return row.storedAt !== null
  if (isRecorded(row, found)) return true
  await database.scoped(project.id, async (tables) => {
    const known = await lockFile(tables, row.itemId)
    // Under the lock: another look may have recorded a later upload in the meantime.
    const bytes = known && (await backend.stat(object))
    if (bytes && !isRecorded(known, bytes)) {
      await markStored(tables, row.itemId, bytes, options.now())
    }
  })
  return true
}

const isRecorded = (row: FileRow, { sizeInBytes, contentType }: StoredBytes): boolean =>
  row.storedAt !== null &&
  row.sizeInBytes === sizeInBytes &&
  row.contentType === (contentType ?? null)

/** Pending uploads that were looked for at once, and what became of them. */
export interface SettledUploads {
  /** Files without bytes before the look. */
  readonly pending: number
  /** Those of them that have bytes now. */
  readonly stored: number
}

/** Rows that are read, and objects that are looked at, at once. */
const batch = { rows: 500, looks: 16 }

/**
 * Looks at the objects of all uploads of a project that are pending or can still be replaced, for
 * a copy of everything, which cannot wait for their jobs.
 *
 * @throws StorageError
 */
export async function settleUploads(
  services: Services,
  project: Pick<Project, 'id' | 'key'>,
): Promise<SettledUploads> {
  const { storage, database } = services
  const remote = storage.configurations.filter(({ strategy }) => strategy !== 'Local')
  const total = { pending: 0, stored: 0 }
  if (remote.length === 0) return total
  const isRemote = inArray(
    storedFiles.configurationName,
    remote.map(({ name }) => name),
  )
  // A file has a job as long as it can change.
  const hasJob = sql`exists (select from servicekit.jobs
    where kind = 'upload' and subject = ${storedFiles.seq})`
  const mayChange = or(isNull(storedFiles.storedAt), hasJob)
  const limit = pLimit(batch.looks)
  for (let after = 0; ;) {
    const rows = await database.scoped(project.id, (tables) =>
      tables
        .select()
        .from(storedFiles)
        .where(and(gt(storedFiles.seq, after), mayChange, isRemote))
        .orderBy(asc(storedFiles.seq))
        .limit(batch.rows),
    )
    await limit.map(rows, async (row) => {
      const backend = (await storage.backend(row.configurationName))!
      const isStored = await settleFile(services, project, backend, row)
      if (row.storedAt) return
      total.pending++
      if (isStored) total.stored++
    })
    const last = rows.at(-1)
    if (!last || rows.length < batch.rows) return total
    after = last.seq
  }
}
