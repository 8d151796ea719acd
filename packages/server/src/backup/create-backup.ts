import { PlatformError, type SettledUploads, type Stores } from '@servicekit/platform'
import pLimit from 'p-limit'
import { createHash } from 'node:crypto'
import { copyFile, link, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beginBackup, openPrevious, type Previous, requireEmpty } from './begin-backup.ts'
import type { BackupSecret } from './encryption.ts'
import {
  flush,
  flushFolder,
  keyOf,
  lockBackup,
  type Manifest,
  names,
  objectPath,
  type Place,
  readLines,
  readManifest,
  receive,
  type SavedFile,
  type SavedObject,
  toLines,
  type WantedFile,
  writeManifest,
  writeStored,
} from './folder.ts'
import { enterProject } from './records.ts'
import { type DatabaseInput, saveDatabase } from './save-database.ts'

export interface BackupInput extends DatabaseInput {
  readonly folder: string
  readonly secret: BackupSecret | undefined
  /** File in which the platform keeps a secret of its own, if it does. */
  readonly secretFile?: string | undefined
  /** Folder of an earlier backup, whose unchanged files are linked instead of copied. */
  readonly previous?: string | undefined
  /** Number of files that are copied at once. */
  readonly concurrency: number
  readonly onProgress?: (done: number, total: number) => void
}

export interface BackupReport {
  readonly folder: string
  readonly createdAt: string
  /** True if it continued an interrupted backup. */
  readonly isContinued: boolean
  readonly isEncrypted: boolean
  /** Files with bytes, and the size of these. */
  readonly files: number
  readonly bytes: number
  /** Files that are the same as in the previous backup. */
  readonly unchanged: number
  readonly problems: readonly SavedFile[]
  /** Uploads that were pending when the backup began; undefined if it was continued. */
  readonly uploads: SettledUploads | undefined
}

/** Settings that restoring needs besides the database and the files. */
export interface SavedSettings {
  /** Hash of the secret that encrypts tokens; the restored database needs the same one. */
  readonly secretHash: string | null
  /** That secret, if the platform generated it for a data folder. */
  readonly secret: string | null
}

/** Returns the hash of the secret of a server. */
export const hashOf = (secret: string | undefined): string | null =>
  secret === undefined
    ? null
    : createHash('sha256').update(`servicekit-backup ${secret}`).digest('hex')

/**
 * Saves the database, in one snapshot, and then the files that this snapshot names. A backup
 * that was interrupted continues with the files that it lacks.
 *
 * The files follow the database because an object has the same name for its whole life and is
 * stored before its record says so: a copy that is made later has every object of the snapshot,
 * except for those that were deleted in between. The reverse order would lack those that were
 * uploaded in between.
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

async function save(stores: Stores, input: BackupInput): Promise<BackupReport> {
  const { folder, signal } = input
  const known = await readManifest(folder)
  if (known?.files) {
    throw new PlatformError('OPTION_INVALID', 'The folder contains a complete backup.', {
      details: { folder },
      help: 'Choose another folder for a new backup.',
    })
  }
  const previous = input.previous === undefined ? undefined : await openPrevious(input)
  const { current, place } = await beginBackup(input, known, previous)
  let state = current
  const isContinued = state.database !== undefined
  let uploads: SettledUploads | undefined
  if (!state.database) {
    uploads = await stores.settleUploads()
    const database = await saveDatabase(stores, place, input)
    const secret = await stores.secret()
    const own: SavedSettings = {
      secretHash: hashOf(secret),
      secret: input.secretFile === undefined ? null : (secret ?? null),
    }
    const settings = await writeStored(place, names.settings, [JSON.stringify(own)], signal)
    const { engine, serverVersion, program, migrations, dump, wanted } = database
    const saved = { engine, serverVersion, program, migrations, dump, wanted, settings }
    state = { ...state, createdAt: new Date().toISOString(), database: saved }
    await writeManifest(folder, state)
  }
  const { files, unchanged } = await saveFiles(stores, place, previous, input)
  await removeUnknown(place, files)
  const index = await writeStored(place, names.index, toLines(files), signal)
  await flushObjects(place)
  await writeManifest(folder, { ...state, files: { count: files.length, index } })
  await rm(join(folder, names.journal), { recursive: true, force: true })
  return {
    folder,
    createdAt: state.createdAt,
    isContinued,
    isEncrypted: place.cipher !== undefined,
    ...sizeOf(files, state),
    unchanged,
    problems: files.filter(({ problem }) => problem !== undefined),
    uploads,
  }
}

/** Returns the number of files with bytes, and the size of these and of the database. */
export function sizeOf(files: readonly SavedFile[], { database }: Manifest) {
  const bytes = files.reduce((sum, { object }) => sum + (object?.bytes ?? 0), 0)
  return {
    files: files.filter(({ object }) => object).length,
    bytes: bytes + (database?.dump.bytes ?? 0),
  }
}

/** Earlier backup, whose objects a new one may share. */
/** Number of files after which the list of saved files is written. */
const journalFiles = 200

async function saveFiles(
  stores: Stores,
  place: Place,
  previous: Previous | undefined,
  { signal, concurrency, onProgress }: BackupInput,
) {
  // Read from the backup instead of the database, which may have changed since an interruption.
  const wanted = await readLines<WantedFile>(place, names.wanted)
  const { known, append } = await openJournal(place, signal)
  const done = new Map(known.map((file) => [keyOf(file), file]))
  const objects = new Map<string, SavedObject>()
  for (const { object } of [...done.values(), ...(previous?.files.values() ?? [])]) {
    if (object && (await hasObject(place, object))) objects.set(object.sha256, object)
  }
  let unchanged = 0
  let added: SavedFile[] = []
  const limit = pLimit(concurrency)
  const saveOne = async (file: WantedFile): Promise<void> => {
    signal.throwIfAborted()
    const key = keyOf(file)
    if (!done.has(key)) {
      const same = previous && (await linkUnchanged(stores, place, previous, file))
      if (same) unchanged++
      const saved = same ?? (await saveFile(stores, place, file, objects, signal))
      done.set(key, saved)
      added.push(saved)
      if (added.length >= journalFiles) {
        const entries = added
        added = []
        await append(entries)
      }
    }
    onProgress?.(done.size, wanted.length)
  }
  try {
    await limit.map(wanted, saveOne)
  } catch (error) {
    limit.clearQueue()
    throw error
  } finally {
    // Also those that were saved before an interruption.
    if (added.length > 0) await append(added)
  }
  return { files: wanted.map((file) => ({ ...done.get(keyOf(file))!, ...file })), unchanged }
}

/** Opens the list of the files that were saved, which grows while the backup runs. */
async function openJournal(place: Place, signal: AbortSignal) {
  const folder = join(place.folder, names.journal)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const found = (await readdir(folder)).map((name) => name.replace(/\.age$/, '')).toSorted()
  const parts: SavedFile[] = []
  for (const name of found) {
    parts.push(...(await readLines<SavedFile>(place, join(names.journal, name))))
  }
  let count = found.length
  return {
    known: parts,
    append: async (files: readonly SavedFile[]): Promise<void> => {
      const name = `${String(++count).padStart(6, '0')}.jsonl`
      // Written also when the backup was aborted.
      const own = signal.aborted ? new AbortController().signal : signal
      await writeStored(place, join(names.journal, name), toLines(files), own)
    },
  }
}

const hasObject = (place: Place, { name }: SavedObject): Promise<boolean> =>
  stat(objectPath(place, name)).then(
    () => true,
    () => false,
  )

/** Links the object of a file that is the same as in the previous backup. */
async function linkUnchanged(
  stores: Stores,
  place: Place,
  { place: earlier, files }: Previous,
  file: WantedFile,
): Promise<SavedFile | undefined> {
  const known = files.get(keyOf(file))
  if (!known?.object || known.etag === undefined) return undefined
  if (known.configurationName !== file.configurationName) return undefined
  const found = await stores.statFile(file)
  if (found?.etag !== known.etag || found.sizeInBytes !== known.object.bytes) return undefined
  const { name } = known.object
  const [from, to] = [objectPath(earlier, name), objectPath(place, name)]
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const isThere = await link(from, to).then(
    () => true,
    async ({ code }: NodeJS.ErrnoException) => {
      if (code === 'EEXIST') return true
      // On another file system.
      return copyFile(from, to).then(
        () => flush(to).then(() => true),
        () => false,
      )
    },
  )
  if (!isThere) return undefined
  return {
    ...file,
    object: known.object,
    etag: known.etag,
    problem: sizeProblem(file, known.object),
  }
}

const sizeProblem = ({ sizeInBytes, isStored }: WantedFile, { bytes }: SavedObject) =>
  isStored && sizeInBytes !== null && bytes !== sizeInBytes ? ('changed' as const) : undefined

/** Saves the bytes of one file, unless they are gone by now. */
async function saveFile(
  stores: Stores,
  place: Place,
  file: WantedFile,
  objects: Map<string, SavedObject>,
  signal: AbortSignal,
): Promise<SavedFile> {
  // Before the bytes are read: if they are replaced meanwhile, the next backup reads them again.
  const found = await stores.statFile(file)
  const bytes = found && (await stores.readFile(file))
  // An upload that is still pending has no bytes to lose.
  if (!bytes) return file.isStored ? { ...file, problem: await whyAbsent(stores, file) } : file
  const { content, stored, path } = await receive(place, bytes, signal)
  const known = objects.get(content.sha256)
  const object = known ?? { name: stored.sha256, ...content }
  if (known) await rm(path)
  else {
    const target = objectPath(place, object.name)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(path, target)
    objects.set(content.sha256, object)
  }
  return { ...file, object, etag: found.etag, problem: sizeProblem(file, object) }
}

/** Removes the objects that no file has, such as unfinished ones. */
async function removeUnknown(place: Place, files: readonly SavedFile[]): Promise<void> {
  const known = new Set(
    files.flatMap(({ object }) => (object ? [objectPath(place, object.name)] : [])),
  )
  const folder = join(place.folder, names.objects)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && !known.has(path)) await rm(path)
  }
}

/** Flushes the folders of objects to disk. */
async function flushObjects({ folder }: Place): Promise<void> {
  const parent = join(folder, names.objects)
  for (const name of await readdir(parent)) await flushFolder(join(parent, name, 'object'))
  await flushFolder(join(parent, 'object'))
  await flushFolder(parent)
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
