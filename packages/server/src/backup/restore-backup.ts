import { sharedProjectKey } from '@servicekit/core'
import { writeFileAtomic } from '@servicekit/core/node'
import { PlatformError, type Stores } from '@servicekit/platform'
import pLimit from 'p-limit'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BackupInput, hashOf, type SavedSettings, sizeOf } from './create-backup.ts'
import { openEncryption } from './encryption.ts'
import {
  checkObject,
  checkStored,
  keyOf,
  lockBackup,
  type Manifest,
  names,
  objectPath,
  pathOf,
  readLines,
  readManifest,
  readStored,
  type SavedFile,
} from './folder.ts'
import { listDumpedFiles } from './list-dumped-files.ts'
import { listFiles, wipeDatabase } from './records.ts'
import { type OpenStores, restoreDatabase } from './restore-database.ts'

export interface VerifyReport {
  readonly folder: string
  readonly version: string
  readonly createdAt: string
  readonly isEncrypted: boolean
  readonly files: number
  readonly bytes: number
  readonly problems: readonly SavedFile[]
}

type Checked = Awaited<ReturnType<typeof openBackup>>

/**
 * Checks that a backup is complete: every hash, that its dump can be read, and that the database
 * and the files name each other.
 *
 * @throws PlatformError `BACKUP_INVALID`
 */
async function openBackup(input: BackupInput) {
  const { folder, secret, signal, concurrency, onProgress } = input
  const manifest = await readManifest(folder)
  if (!manifest) throw invalid('The folder contains no backup.', folder)
  const { database, files: saved, encryption } = manifest
  if (!database || !saved) {
    throw new PlatformError('BACKUP_INVALID', 'The backup is not complete.', {
      details: { folder },
      help: 'Run `servicekit backup` with the same folder to complete it.',
    })
  }
  const cipher = encryption ? await openEncryption(folder, encryption, secret) : undefined
  const place = { folder, cipher }
  await checkStored(pathOf(place, names.index), saved.index)
  await checkStored(pathOf(place, names.settings), database.settings)
  await checkStored(pathOf(place, names.dump[database.engine]), database.dump)
  const files = await readLines<SavedFile>(place, names.index)
  const objects = [
    ...new Map(files.flatMap(({ object }) => (object ? [[object.name, object]] : []))).values(),
  ]
  const limit = pLimit(concurrency)
  let done = 0
  await limit.map(objects, async (object) => {
    signal.throwIfAborted()
    await checkObject(place, object)
    onProgress?.(++done, objects.length)
  })
  const dumped = await listDumpedFiles(place, database, input)
  const listed = new Set(files.filter(({ isStored }) => isStored).map(keyOf))
  const lost = [...dumped].find((key) => !listed.has(key))
  if (lost !== undefined) throw invalid('The backup lacks a file that its database names.', lost)
  const unknown = [...listed].find((key) => !dumped.has(key))
  if (unknown !== undefined) throw invalid('The backup has a file without a record.', unknown)
  const whole: Required<Manifest> = { ...manifest, database, files: saved }
  return { manifest: whole, place, files }
}

const invalid = (summary: string, file: string): PlatformError =>
  new PlatformError('BACKUP_INVALID', summary, { details: { file } })

const reportOf = ({ manifest, place, files }: Checked): VerifyReport => ({
  folder: place.folder,
  version: manifest.version,
  createdAt: manifest.createdAt,
  isEncrypted: place.cipher !== undefined,
  ...sizeOf(files, manifest),
  problems: files.filter(({ problem }) => problem !== undefined),
})

/** Verifies a backup without a server. @throws PlatformError `BACKUP_INVALID` */
export const verifyBackup = async (input: BackupInput): Promise<VerifyReport> =>
  reportOf(await openBackup(input))

export interface RestoreReport extends VerifyReport {
  /** False if tokens and secrets of webhooks and tools were encrypted with another secret. */
  readonly hasSameSecret: boolean
}

export interface RestoreInput extends BackupInput {
  /** Removes the data of an instance that is not empty. */
  readonly isForced: boolean
  /** Name of this instance in the audit log. */
  readonly instance: string
  readonly dataDir: string | undefined
  readonly open: OpenStores
}

/**
 * Restores a backup into an empty database and its storages, and applies the migrations that an
 * older version lacks. The database is written last: until then the instance is empty, so that a
 * restore that was interrupted serves nothing and can be repeated.
 *
 * @throws PlatformError `BACKUP_INVALID`, `OPTION_INVALID` if the instance is not empty or is
 * in use, `DATABASE_INCOMPATIBLE` if a newer version or another database wrote the backup.
 */
export async function restoreBackup(input: RestoreInput): Promise<RestoreReport> {
  const { folder } = input
  const release = await lockBackup(folder)
  let stores: Stores | undefined
  try {
    const checked = await openBackup(input)
    stores = await input.open()
    await requireUnused(stores)
    requireSameEngine(stores, checked.manifest)
    await makeEmpty(stores, checked, input.isForced)
    await restoreFiles(stores, checked, input)
    const settings = await readSettings(checked)
    const isOwn = settings.secret !== null && input.secretFile !== undefined
    const hasSameSecret = isOwn || settings.secretHash === hashOf(await stores.secret())
    if (isOwn) await writeFileAtomic(input.secretFile!, settings.secret!, 0o600)
    stores = await restoreDatabase(stores, checked.place, input)
    await stores.transaction('write', async (query) => {
      // Jobs that were running belong to no instance any more.
      await query('update servicekit.jobs set locked_until = null')
      await query(
        `insert into servicekit.audit (instance, actor, operation, action, kind, records, total)
         values ($1, 'program', 'restore', 'insert', 'database', '{}', $2)`,
        [input.instance, checked.files.length],
      )
    })
    return { ...reportOf(checked), hasSameSecret }
  } finally {
    await stores?.close()
    await release()
  }
}

async function readSettings({ place }: Checked): Promise<SavedSettings> {
  const [settings] = await readLines<SavedSettings>(place, names.settings)
  return settings!
}

/** Writes the bytes of all files to their storages. */
async function restoreFiles(
  stores: Stores,
  { files, place }: Checked,
  { signal, concurrency, onProgress }: BackupInput,
): Promise<void> {
  const withBytes = files.filter(({ object }) => object)
  for (const file of withBytes) storageOf(stores, file)
  const limit = pLimit(concurrency)
  let done = 0
  await limit.map(withBytes, async (file) => {
    signal.throwIfAborted()
    const bytes = await readStored(place, objectPath(place, file.object!.name))
    await stores.writeFile(file, Readable.toWeb(bytes) as ReadableStream<Uint8Array>)
    onProgress?.(++done, withBytes.length)
  })
}

/** @throws PlatformError `DATABASE_INCOMPATIBLE` */
function requireSameEngine({ engine }: Stores, { database }: Checked['manifest']): void {
  if (database.engine === engine) return
  throw new PlatformError('DATABASE_INCOMPATIBLE', 'The backup is of another kind of database.', {
    details: { backup: database.engine, instance: engine },
    help: 'Restore it into the same kind, and move its projects with `servicekit export` and `servicekit import`.',
  })
}

/** @throws PlatformError `DATABASE_INCOMPATIBLE` for a backup of a version that cannot be upgraded. */
function requireKnownMigrations(stores: Stores, { database, version }: Checked['manifest']): void {
  try {
    stores.requireKnown(new Map(database.migrations.map(({ id, hash }) => [id, hash])))
  } catch (cause) {
    const { details } = cause as PlatformError
    if (details['unknownMigrations'] === undefined) throw cause
    throw new PlatformError('DATABASE_INCOMPATIBLE', 'A newer version wrote this backup.', {
      cause,
      details: { version, ...details },
      help: 'Restore it with that version of Servicekit or a later one.',
    })
  }
}

/** Returns the storage of a file. @throws PlatformError if no storage has its name. */
function storageOf({ storages }: Stores, { configurationName }: { configurationName: string }) {
  if (storages.includes(configurationName)) return configurationName
  throw new PlatformError('OPTION_INVALID', 'The backup has files of a storage that is not set.', {
    details: { name: configurationName, known: storages.join(', ') },
    help: 'Set storage.name to its name.',
  })
}

/** Requires that no other instance is connected. PGlite is locked by this process. */
async function requireUnused(stores: Stores): Promise<void> {
  if (stores.engine === 'pglite') return
  const count = async (): Promise<number> => {
    const [row] = await stores.transaction('snapshot', (query) =>
      query<{ count: number }>(`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name = 'servicekit'
          and pid <> pg_backend_pid()`),
    )
    return row!.count
  }
  // A connection that this process has just closed may still be listed.
  for (let tries = 0; tries < 10 && (await count()) > 0; tries++) await sleep(100)
  const connections = await count()
  if (connections === 0) return
  throw new PlatformError('OPTION_INVALID', 'Another instance uses the database.', {
    details: { connections },
    help: 'Stop all instances of `servicekit serve`, and restore again.',
  })
}

/** Requires an empty instance, or makes it empty. @throws PlatformError */
async function makeEmpty(stores: Stores, { manifest }: Checked, isForced: boolean): Promise<void> {
  requireKnownMigrations(stores, manifest)
  const projects = await stores.transaction('snapshot', (query) =>
    query<{ key: string }>(
      `select key from servicekit.projects where key <> '${sharedProjectKey}' order by key`,
    ),
  )
  if (projects.length === 0) return
  if (!isForced) {
    throw new PlatformError('OPTION_INVALID', 'The instance is not empty.', {
      details: { projects: projects.map(({ key }) => key).join(', ') },
      help: `Restore into an empty database, or replace its data by that of ${manifest.createdAt} with --force.`,
    })
  }
  const old = await stores.transaction('write', async (query) => {
    const files = await listFiles(query)
    await wipeDatabase(query)
    return files
  })
  for (const file of old) await stores.removeFile(file)
}
