import { PlatformError, type SettledUploads, type Stores } from '@servicekit/platform'
import { FolderLockedError, lockFolder } from '@servicekit/core/node'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { dumpDatabase, enterProject, readDump } from './database-dump.ts'
import { type BackupSecret, createEncryption, openEncryption } from './encryption.ts'
import {
  addToIndex,
  fileName,
  flush,
  flushFolder,
  type Manifest,
  names,
  readIndex,
  readManifest,
  readStored,
  type SavedFile,
  type WantedFile,
  writeManifest,
  writeStored,
} from './folder.ts'

/** Locks the folder of a backup against another command. @throws PlatformError */
export async function lockBackup(folder: string): Promise<() => Promise<void>> {
  const created = await mkdir(join(folder, 'files'), { recursive: true, mode: 0o700 })
  // The names of new folders must also survive a power failure.
  const parents = created === undefined ? [] : relative(dirname(created), folder).split(sep)
  for (const index of parents.keys()) {
    await flushFolder(join(dirname(created!), ...parents.slice(0, index + 1)))
  }
  try {
    return await lockFolder(folder, 0)
  } catch (cause) {
    if (!(cause instanceof FolderLockedError)) throw cause
    throw new PlatformError('OPTION_INVALID', 'Another command uses this backup.', {
      cause,
      details: { folder },
    })
  }
}

export interface BackupInput {
  readonly folder: string
  readonly secret: BackupSecret | undefined
  readonly signal: AbortSignal
  /** File in which the platform keeps a secret of its own, if it does. */
  readonly secretFile?: string | undefined
  readonly onProgress?: (done: number, total: number) => void
}

export interface BackupReport {
  readonly folder: string
  readonly createdAt: string
  /** True if it continued an interrupted backup. */
  readonly isContinued: boolean
  readonly isEncrypted: boolean
  readonly files: number
  readonly bytes: number
  readonly problems: readonly SavedFile[]
  /** Uploads that were pending when the backup began; undefined if it was continued. */
  readonly uploads: SettledUploads | undefined
}

/**
 * Saves the database, in one snapshot, and then the files that this snapshot names. A backup
 * that was interrupted continues with the files that it lacks.
 *
 * @throws PlatformError `OPTION_INVALID` if the folder contains something else.
 */
export async function createBackup(stores: Stores, input: BackupInput): Promise<BackupReport> {
  if (!(await readManifest(input.folder))) await requireEmpty(input.folder)
  const release = await lockBackup(input.folder)
  try {
    return await save(stores, input)
  } finally {
    await release()
  }
}

async function save(
  stores: Stores,
  { folder, secret, secretFile, signal, onProgress }: BackupInput,
): Promise<BackupReport> {
  const known = await readManifest(folder)
  if (known?.files) {
    throw new PlatformError('OPTION_INVALID', 'The folder contains a complete backup.', {
      details: { folder },
      help: 'Choose another folder for a new backup.',
    })
  }
  const { current, key } = await begin(folder, known, secret)
  let state = current
  const isContinued = state.database !== undefined
  let uploads: SettledUploads | undefined
  if (!state.database) {
    uploads = await stores.settleUploads()
    const database = await stores.transaction('snapshot', (query) =>
      writeStored(
        folder,
        names.database,
        dumpDatabase(query, stores, secretFile !== undefined),
        key,
        signal,
      ),
    )
    state = { ...state, createdAt: new Date().toISOString(), database }
    await writeManifest(folder, state)
  }
  // Read from the backup instead of the database, which may have changed since an interruption.
  const wanted = (await readDump(readStored(folder, names.database, key))).files
  const done = new Map((await readIndex(folder)).map((file) => [fileName(file), file]))
  for (const [index, file] of wanted.entries()) {
    signal.throwIfAborted()
    if (!done.has(fileName(file))) {
      const saved = await saveFile(stores, folder, file, key, signal)
      await addToIndex(folder, saved)
      done.set(fileName(file), saved)
    }
    onProgress?.(index + 1, wanted.length)
  }
  const all = wanted.map((file) => done.get(fileName(file))!)
  const lines = all.map((file) => `${JSON.stringify(file)}\n`)
  const index = await writeStored(folder, names.index, lines, undefined, signal)
  await flushFolder(join(folder, names.index))
  await flush(join(folder, 'files')).catch(() => {})
  await writeManifest(folder, { ...state, files: { count: all.length, index } })
  return {
    folder,
    createdAt: state.createdAt,
    isContinued,
    isEncrypted: key !== undefined,
    files: all.filter(({ stored }) => stored).length,
    bytes: all.reduce((sum, { stored }) => sum + (stored?.bytes ?? 0), state.database!.bytes),
    problems: all.filter(({ problem }) => problem !== undefined),
    uploads,
  }
}

async function begin(
  folder: string,
  known: Manifest | undefined,
  secret: BackupSecret | undefined,
): Promise<{ readonly current: Manifest; readonly key: Buffer | undefined }> {
  if (known) {
    if (known.encryption)
      return { current: known, key: await openEncryption(known.encryption, secret) }
    if (!secret) return { current: known, key: undefined }
    throw new PlatformError('OPTION_INVALID', 'The interrupted backup is not encrypted.', {
      details: { folder },
      help: 'Continue it without a secret, or choose another folder.',
    })
  }
  const created = secret && (await createEncryption(secret))
  const current: Manifest = {
    format: 'servicekit-backup',
    formatVersion: 1,
    version: manifest.version,
    createdAt: new Date().toISOString(),
    encryption: created?.encryption ?? null,
  }
  await writeManifest(folder, current)
  return { current, key: created?.key }
}

async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const other = found.find((name) => name !== 'files' && !name.startsWith('lock-'))
  if (other === undefined) return
  throw new PlatformError('OPTION_INVALID', 'The folder contains files that are not a backup.', {
    details: { folder, file: other },
    help: 'Choose an empty folder, or one that does not exist yet.',
  })
}

/** Saves the bytes of one file, unless they are gone by now. */
async function saveFile(
  stores: Stores,
  folder: string,
  file: WantedFile,
  key: Buffer | undefined,
  signal: AbortSignal,
): Promise<SavedFile> {
  const { projectKey, itemId, sizeInBytes } = file
  const bytes = await stores.readFile(file)
  if (!bytes) return { projectKey, itemId, problem: await whyAbsent(stores, file) }
  let size = 0
  const source = async function* () {
    for await (const chunk of bytes) {
      size += chunk.length
      yield chunk
    }
  }
  const stored = await writeStored(folder, fileName(file), source(), key, signal)
  const isChanged = sizeInBytes !== null && size !== sizeInBytes
  return { projectKey, itemId, stored, ...(isChanged && { problem: 'changed' as const }) }
}

/** Finds out whether a file was deleted since the snapshot, or lost its bytes. */
const whyAbsent = (stores: Stores, { projectKey, itemId }: WantedFile) =>
  stores.transaction('snapshot', async (query) => {
    const [project] = await query<{ id: number }>(
      'select id from servicekit.projects where key = $1',
      [projectKey],
    )
    if (!project) return 'deleted' as const
    await enterProject(query, project.id)
    const rows = await query(
      'select from servicekit.stored_files where project_id = $1 and item_id = $2',
      [project.id, itemId],
    )
    return rows.length === 0 ? ('deleted' as const) : ('absent' as const)
  })
