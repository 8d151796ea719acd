import { isObject, parseJson } from '@servicekit/core'
import { readTextIfExists, writeFileAtomic } from '@servicekit/core/node'
import { PlatformError, type StoredFile } from '@servicekit/platform'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { decryptFile, encryptFile, type Encryption } from './encryption.ts'

/** Size and hash of a file of the backup, as it is stored. */
export interface Stored {
  readonly bytes: number
  readonly sha256: string
}

/** File of a storage that a backup should contain. */
export type WantedFile = StoredFile & { readonly sizeInBytes: number | null }

/** File in a backup, or one whose bytes could not be saved. */
export interface SavedFile {
  readonly projectKey: string
  readonly itemId: string
  readonly stored?: Stored
  /** `deleted`: its record is gone too. `absent`: only its bytes are. `changed`: it was replaced. */
  readonly problem?: 'deleted' | 'absent' | 'changed'
}

/** Content of `backup.json`. */
export interface Manifest {
  readonly format: 'servicekit-backup'
  readonly formatVersion: 1
  readonly version: string
  readonly createdAt: string
  readonly encryption: Encryption | null
  /** Undefined until the database is saved. */
  readonly database?: Stored
  /** Undefined until everything is saved. */
  readonly files?: { readonly count: number; readonly index: Stored }
}

export const names = { manifest: 'backup.json', database: 'database', index: 'files.jsonl' }

/** Returns the name of a file within the backup. */
export const fileName = ({ projectKey, itemId }: Pick<StoredFile, 'projectKey' | 'itemId'>) =>
  `files/${createHash('sha256')
    .update(JSON.stringify([projectKey, itemId]))
    .digest('hex')}`

/** Reads the manifest; undefined if there is no backup. @throws PlatformError */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readTextIfExists(join(folder, names.manifest))
  if (text === undefined) return undefined
  const manifest = parseJson(text)
  if (isObject(manifest) && manifest['format'] === 'servicekit-backup') {
    if (manifest['formatVersion'] === 1) return manifest as unknown as Manifest
    throw new PlatformError('BACKUP_INVALID', 'A newer version of Servicekit wrote this backup.', {
      details: { folder, version: String(manifest['version']) },
    })
  }
  throw new PlatformError('BACKUP_INVALID', 'The folder contains no valid backup.', {
    details: { folder, file: names.manifest },
  })
}

/** Replaces the manifest, also on disk, so that a power failure does not bring back the old one. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const path = join(folder, names.manifest)
  await writeFileAtomic(path, `${JSON.stringify(manifest, null, 2)}\n`)
  await flushFolder(path)
}

export async function readIndex(folder: string): Promise<readonly SavedFile[]> {
  const text = (await readTextIfExists(join(folder, names.index))) ?? ''
  // An interrupted backup may end with a part of a line, whose file is saved again.
  return text.split('\n').flatMap((line) => (parseJson(line) as SavedFile | undefined) ?? [])
}

export const addToIndex = (folder: string, file: SavedFile): Promise<void> =>
  appendFile(join(folder, names.index), `${JSON.stringify(file)}\n`, { mode: 0o600 })

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

type Source = AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>

/** Writes a file of the backup, encrypted if there is a key. It appears when it is complete. */
export async function writeStored(
  folder: string,
  name: string,
  source: Source,
  key: Buffer | undefined,
  signal: AbortSignal,
): Promise<Stored> {
  const path = join(folder, name)
  const { stream, result } = meter()
  const unfinished = `${path}.unfinished`
  const steps = key ? [encryptFile(key, name), stream] : [stream]
  const target = createWriteStream(unfinished, { mode: 0o600 })
  await pipeline([source, ...steps, target] as never, { signal })
  await flush(unfinished)
  await rename(unfinished, path)
  return result()
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
export function readStored(folder: string, name: string, key: Buffer | undefined) {
  const source = createReadStream(join(folder, name))
  if (!key) return source
  const decrypted = decryptFile(key, name)
  source.on('error', (error) => decrypted.destroy(error))
  return source.pipe(decrypted)
}

/** Compares a file of the backup with its size and hash. @throws PlatformError */
export async function checkStored(
  folder: string,
  name: string,
  { bytes, sha256 }: Stored,
): Promise<void> {
  const { stream, result } = meter()
  const found = await pipeline(createReadStream(join(folder, name)), stream.resume()).then(
    result,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    },
  )
  if (found?.bytes === bytes && found.sha256 === sha256) return
  throw new PlatformError(
    'BACKUP_INVALID',
    found ? 'A file of the backup was changed or is damaged.' : 'A file of the backup is missing.',
    { details: { file: join(folder, name) }, help: 'Use another copy of the backup.' },
  )
}
