import { isObject, parseJson } from '@servicekit/core'
import {
  FolderLockedError,
  lockFolder,
  readTextIfExists,
  writeFileAtomic,
} from '@servicekit/core/node'
import { PlatformError, type StoredFile } from '@servicekit/platform'
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Cipher, decryptStream, type Encryption, encryptStream } from './encryption.ts'

/** Size and hash of a file of the backup, as it is stored. */
export interface Stored {
  readonly bytes: number
  readonly sha256: string
}

/** File of a storage that a backup should contain. */
export type WantedFile = StoredFile & {
  readonly sizeInBytes: number | null
  /** False for a record whose upload was pending; it may have bytes nevertheless. */
  readonly isStored: boolean
}

/** Bytes of a file. Files with the same bytes share one. */
export interface SavedObject {
  /** Hash of the stored bytes, and name of their file. */
  readonly name: string
  /** Size and hash of the bytes themselves, without encryption. */
  readonly bytes: number
  readonly sha256: string
}

/** Record of a file in a backup, with its bytes if they could be saved. */
export type SavedFile = WantedFile & {
  readonly object?: SavedObject | undefined
  /** Changes when the storage replaces the bytes. */
  readonly etag?: string | undefined
  /** `deleted`: its record is gone too. `absent`: only its bytes are. `changed`: it was replaced. */
  readonly problem?: 'deleted' | 'absent' | 'changed' | undefined
}

/** Migration that was applied to the database of a backup. */
export interface AppliedMigration {
  readonly id: string
  readonly hash: string
}

/** Database of a backup, as in its manifest. */
export interface SavedDatabase {
  readonly engine: 'postgresql' | 'pglite'
  /** Version of PostgreSQL, such as 15.4. */
  readonly serverVersion: string
  /** Program that wrote the dump, with its version. */
  readonly program: string
  readonly migrations: readonly AppliedMigration[]
  readonly dump: Stored
  /** List of the files that the database names. */
  readonly wanted: Stored
  readonly settings: Stored
}

/** Content of `backup.json`. */
export interface Manifest {
  readonly format: 'servicekit-backup'
  readonly formatVersion: 2
  readonly version: string
  readonly createdAt: string
  readonly encryption: Encryption | null
  /** Undefined until the database is saved. */
  readonly database?: SavedDatabase
  /** Undefined until everything is saved. */
  readonly files?: { readonly count: number; readonly index: Stored }
}

/** Names of files; those of an encrypted backup end with `.age`, except for the manifest. */
export const names = {
  manifest: 'backup.json',
  settings: 'settings.json',
  wanted: 'wanted.jsonl',
  index: 'files.jsonl',
  journal: 'journal',
  objects: 'objects',
  dump: { postgresql: 'database.dump', pglite: 'database.tar.gz' },
} as const

/** Identifies a record within a backup. */
export const keyOf = ({ projectKey, itemId }: Pick<StoredFile, 'projectKey' | 'itemId'>): string =>
  JSON.stringify([projectKey, itemId])

/** Backup in a folder, with the cipher of an encrypted one. */
export interface Place {
  readonly folder: string
  readonly cipher: Cipher | undefined
}

export const pathOf = ({ folder, cipher }: Place, name: string): string =>
  join(folder, cipher ? `${name}.age` : name)

/** Returns the path of an object, in one of 256 folders. */
export const objectPath = (place: Place, name: string): string =>
  pathOf(place, join(names.objects, name.slice(0, 2), name))

/** Locks the folder of a backup against another command. @throws PlatformError */
export async function lockBackup(folder: string): Promise<() => Promise<void>> {
  const created = await mkdir(join(folder, names.objects), { recursive: true, mode: 0o700 })
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

/** Reads the manifest; undefined if there is no backup. @throws PlatformError */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readTextIfExists(join(folder, names.manifest))
  if (text === undefined) return undefined
  const manifest = parseJson(text)
  if (!isObject(manifest) || manifest['format'] !== 'servicekit-backup') {
    throw new PlatformError('BACKUP_INVALID', 'The folder contains no valid backup.', {
      details: { folder, file: names.manifest },
    })
  }
  if (manifest['formatVersion'] === 2) return manifest as unknown as Manifest
  const isOlder = Number(manifest['formatVersion']) < 2
  throw new PlatformError(
    'BACKUP_INVALID',
    `${isOlder ? 'An older' : 'A newer'} version of Servicekit wrote this backup in another format.`,
    {
      details: { folder, version: String(manifest['version']) },
      help: isOlder
        ? 'Restore it with that version, upgrade, and create a new backup.'
        : 'Restore it with that version or a later one.',
    },
  )
}

/** Replaces the manifest, also on disk, so that a power failure does not bring back the old one. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, names.manifest)
  await writeFileAtomic(path, `${JSON.stringify(manifest, null, 2)}\n`)
  await flushFolder(path)
}

/** Counts and hashes the bytes that pass. */
function meter() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: (): Stored => ({ bytes, sha256: hash.digest('hex') }) }
}

export type Source = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

interface Received {
  /** Size and hash of the bytes themselves. */
  readonly content: Stored
  /** Size and hash of what is in the file. */
  readonly stored: Stored
  readonly path: string
}

/** Receives a file of the backup under a temporary name, encrypted if the backup is. */
export async function receive(
  place: Place,
  source: Source,
  signal: AbortSignal,
): Promise<Received> {
  const path = join(place.folder, names.objects, `${randomUUID()}.unfinished`)
  const [content, stored] = [meter(), meter()]
  const plain = Readable.from(source)
  const target = createWriteStream(path, { mode: 0o600 })
  const metered = pipeline(plain, content.stream, { signal })
  const output = place.cipher ? encryptStream(content.stream, place.cipher) : content.stream
  const written = (async () => pipeline(await output, stored.stream, target, { signal }))()
  // The first error is that of the source; a stream behind it only ends too early.
  const results = await Promise.allSettled([metered, written])
  const failed = results.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
  await flush(path)
  return { content: content.result(), stored: stored.result(), path }
}

/** Writes a file of the backup, which appears when it is complete. */
export async function writeStored(
  place: Place,
  name: string,
  source: Source,
  signal: AbortSignal,
): Promise<Stored> {
  const { stored, path } = await receive(place, source, signal)
  const target = pathOf(place, name)
  await rename(path, target)
  await flushFolder(target)
  return stored
}

/** Flushes a file, or the entries of a folder, to disk. */
export async function flush(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}

export const flushFolder = (path: string): Promise<void> =>
  // Windows cannot flush folders.
  flush(dirname(path)).catch(() => {})

/** Returns the decrypted content of a file of the backup. */
export async function readStored({ cipher }: Place, path: string): Promise<Readable> {
  const source = createReadStream(path)
  if (!cipher) return source
  return decryptStream(source, cipher).catch((cause: unknown) => {
    throw damaged(path, cause)
  })
}

const damaged = (file: string, cause?: unknown): PlatformError =>
  new PlatformError('BACKUP_INVALID', 'A file of the backup was changed or is damaged.', {
    cause,
    details: { file },
    help: 'Use another copy of the backup.',
  })

/** Reads a list with one JSON value per line. */
export async function readLines<T>(place: Place, name: string): Promise<readonly T[]> {
  const text = await readAll(await readStored(place, pathOf(place, name)))
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as T]))
}

export const toLines = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => `${JSON.stringify(value)}\n`)

/** Measures the content of a stream. */
async function measure(source: Readable): Promise<Stored> {
  const { stream, result } = meter()
  await pipeline(source, stream.resume())
  return result()
}

/** Compares a file of the backup with its size and hash. @throws PlatformError */
export async function checkStored(path: string, expected: Partial<Stored>): Promise<void> {
  const found = await measure(createReadStream(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new PlatformError('BACKUP_INVALID', 'A file of the backup is missing.', {
      details: { file: path },
      help: 'Use another copy of the backup.',
    })
  })
  const isSame = found.sha256 === expected.sha256
  if (!isSame || (expected.bytes ?? found.bytes) !== found.bytes) throw damaged(path)
}

/** Checks the stored bytes of an object, and what they decrypt to. @throws PlatformError */
export async function checkObject(place: Place, object: SavedObject): Promise<void> {
  const path = objectPath(place, object.name)
  await checkStored(path, { sha256: object.name })
  if (!place.cipher) return
  const content = await measure(await readStored(place, path)).catch((cause: unknown) => {
    throw damaged(path, cause)
  })
  if (content.sha256 !== object.sha256 || content.bytes !== object.bytes) throw damaged(path)
}
