import { sharedProjectKey } from '@servicekit/core'
import { writeFileAtomic } from '@servicekit/core/node'
import { PlatformError, type Stores } from '@servicekit/platform'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockBackup, type BackupInput } from './create-backup.ts'
import {
  listStoredFiles,
  loadDatabase,
  hashOf,
  readDump,
  requireSameMigrations,
  wipeDatabase,
} from './database-dump.ts'
import { openEncryption } from './encryption.ts'
import {
  checkStored,
  fileName,
  type Manifest,
  names,
  readIndex,
  readManifest,
  readStored,
  type SavedFile,
} from './folder.ts'

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

/** Checks that a backup is complete, with every hash. @throws PlatformError `BACKUP_INVALID` */
async function openBackup({ folder, secret, signal, onProgress }: BackupInput) {
  const manifest = await readManifest(folder)
  if (!manifest) throw invalid('The folder contains no backup.', folder)
  const { database, files, encryption } = manifest
  if (!database || !files) {
    throw new PlatformError('BACKUP_INVALID', 'The backup is not complete.', {
      details: { folder },
      help: 'Run `servicekit backup` with the same folder to complete it.',
    })
  }
  const key = encryption ? await openEncryption(encryption, secret) : undefined
  await checkStored(folder, names.index, files.index)
  await checkStored(folder, names.database, database)
  const index = await readIndex(folder)
  for (const [done, file] of index.entries()) {
    signal.throwIfAborted()
    if (file.stored) await checkStored(folder, fileName(file), file.stored)
    onProgress?.(done + 1, index.length)
  }
  // Reads the whole dump, which detects changes of an encrypted one.
  const { head, files: wanted } = await readDump(readStored(folder, names.database, key))
  const saved = new Map(index.map((file) => [fileName(file), file]))
  const lost = wanted.find((file) => !saved.has(fileName(file)))
  if (lost) throw invalid('The backup lacks a file that its database names.', fileName(lost))
  return { manifest: manifest as Required<Manifest>, head, key, wanted, saved }
}

const invalid = (summary: string, file: string): PlatformError =>
  new PlatformError('BACKUP_INVALID', summary, { details: { file } })

function reportOf(folder: string, { manifest, key, saved }: Checked): VerifyReport {
  const all = [...saved.values()]
  return {
    folder,
    version: manifest.version,
    createdAt: manifest.createdAt,
    isEncrypted: key !== undefined,
    files: all.filter(({ stored }) => stored).length,
    bytes: all.reduce((sum, { stored }) => sum + (stored?.bytes ?? 0), manifest.database.bytes),
    problems: all.filter(({ problem }) => problem !== undefined),
  }
}

/** Verifies a backup without a server. @throws PlatformError `BACKUP_INVALID` */
export async function verifyBackup(input: BackupInput): Promise<VerifyReport> {
  const checked = await openBackup(input)
  for (const file of checked.saved.values()) {
    // Authenticates the content, beyond the hashes, which anyone could change.
    if (file.stored && checked.key) {
      await drain(readStored(input.folder, fileName(file), checked.key))
    }
  }
  return reportOf(input.folder, checked)
}

async function drain(source: Readable): Promise<void> {
  for await (const chunk of source) void chunk
}

export interface RestoreReport extends VerifyReport {
  readonly rows: number
  /** False if tokens and secrets of webhooks and tools were encrypted with another secret. */
  readonly hasSameSecret: boolean
}

/**
 * Restores a backup into an empty database and its storages. The database is written last, in
 * one transaction: until then the instance is empty, so that a restore that was interrupted
 * serves nothing and can be repeated.
 *
 * @param isForced removes the data of an instance that is not empty.
 * @throws PlatformError `BACKUP_INVALID`, `OPTION_INVALID` if the instance is not empty or is
 * in use, `DATABASE_INCOMPATIBLE` if another version wrote the backup.
 */
export async function restoreBackup(
  stores: Stores,
  input: BackupInput & { readonly isForced: boolean; readonly instance: string },
): Promise<RestoreReport> {
  const { folder, signal, onProgress } = input
  const release = await lockBackup(folder)
  try {
    const checked = await openBackup({ folder, secret: input.secret, signal })
    const { head, key, wanted, saved } = checked
    await requireUnused(stores)
    await makeEmpty(stores, checked, input.isForced)
    for (const [index, file] of wanted.entries()) {
      signal.throwIfAborted()
      const { stored } = saved.get(fileName(file))!
      if (stored) {
        const bytes = readStored(folder, fileName(file), key)
        const stream = Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>
        await stores.writeFile({ ...file, configurationName: storageOf(stores, file) }, stream)
      }
      onProgress?.(index + 1, wanted.length)
    }
    const isOwn = head.secret !== null && input.secretFile !== undefined
    const hasSameSecret = isOwn || head.secretHash === hashOf(await stores.secret())
    if (isOwn) await writeFileAtomic(input.secretFile!, head.secret!, 0o600)
    const rows = await stores.transaction('write', async (query) => {
      await wipeDatabase(query)
      const count = await loadDatabase(query, readStored(folder, names.database, key))
      await query(
        `insert into servicekit.audit (instance, actor, operation, action, kind, records, total)
         values ($1, 'program', 'restore', 'insert', 'database', '{}', $2)`,
        [input.instance, count],
      )
      return count
    })
    return { ...reportOf(folder, checked), rows, hasSameSecret }
  } finally {
    await release()
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
async function makeEmpty(
  stores: Stores,
  { manifest, head }: Checked,
  isForced: boolean,
): Promise<void> {
  const projects = await stores.transaction('snapshot', async (query) => {
    // Checked before anything is removed.
    await requireSameMigrations(query, head)
    return query<{ key: string }>(
      `select key from servicekit.projects where key <> '${sharedProjectKey}' order by key`,
    )
  })
  if (projects.length === 0) return
  if (!isForced) {
    throw new PlatformError('OPTION_INVALID', 'The instance is not empty.', {
      details: { projects: projects.map(({ key }) => key).join(', ') },
      help: `Restore into an empty database, or replace its data by that of ${manifest.createdAt} with --force.`,
    })
  }
  const old = await stores.transaction('write', async (query) => {
    const files = await listStoredFiles(query)
    await wipeDatabase(query)
    return files
  })
  for (const file of old) await stores.removeFile(file)
}
