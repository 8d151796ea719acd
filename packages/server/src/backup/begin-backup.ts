import { PlatformError } from '@servicekit/platform'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import type { BackupInput } from './create-backup.ts'
import {
  type BackupSecret,
  type Cipher,
  createEncryption,
  keyName,
  openEncryption,
} from './encryption.ts'
import {
  keyOf,
  type Manifest,
  names,
  type Place,
  readLines,
  readManifest,
  type SavedFile,
  writeManifest,
  writeStored,
} from './folder.ts'

/** Backup whose unchanged files are linked. */
export interface Previous {
  readonly place: Place
  readonly manifest: Manifest
  readonly files: ReadonlyMap<string, SavedFile>
}

/** Opens the earlier backup. @throws PlatformError `OPTION_INVALID`, `BACKUP_INVALID` */
export async function openPrevious({
  previous: folder = '',
  secret,
}: Pick<BackupInput, 'previous' | 'secret'>): Promise<Previous> {
  const found = await readManifest(folder)
  if (!found?.files) {
    throw new PlatformError('OPTION_INVALID', 'The previous backup is missing or not complete.', {
      details: { folder },
    })
  }
  if (secret && !found.encryption) {
    throw new PlatformError('OPTION_INVALID', 'The previous backup is not encrypted.', {
      details: { folder },
      help: 'Begin again with a complete backup, without --previous.',
    })
  }
  const { encryption } = found
  const cipher = encryption ? await openEncryption(folder, encryption, secret) : undefined
  const place = { folder, cipher }
  const files = await readLines<SavedFile>(place, names.index)
  return { place, manifest: found, files: new Map(files.map((file) => [keyOf(file), file])) }
}

/** Continues an interrupted backup, or begins a new one. @throws PlatformError `OPTION_INVALID` */
export async function beginBackup(
  { folder, secret, signal }: BackupInput,
  known: Manifest | undefined,
  previous: Previous | undefined,
): Promise<{ readonly current: Manifest; readonly place: Place }> {
  if (known) {
    if (known.encryption) {
      const cipher = await openEncryption(folder, known.encryption, secret)
      return { current: known, place: { folder, cipher } }
    }
    if (!secret) return { current: known, place: { folder, cipher: undefined } }
    throw new PlatformError('OPTION_INVALID', 'The interrupted backup is not encrypted.', {
      details: { folder },
      help: 'Continue it without a secret, or choose another folder.',
    })
  }
  const { encryption, cipher } = await beginEncryption(folder, secret, previous, signal)
  const current: Manifest = {
    format: 'servicekit-backup',
    formatVersion: 2,
    version: manifest.version,
    createdAt: new Date().toISOString(),
    encryption,
  }
  await writeManifest(folder, current)
  return { current, place: { folder, cipher } }
}

/** Creates the encryption of a backup, or takes that of the previous one, to share its objects. */
async function beginEncryption(
  folder: string,
  secret: BackupSecret | undefined,
  previous: Previous | undefined,
  signal: AbortSignal,
): Promise<{ encryption: Manifest['encryption']; cipher: Cipher | undefined }> {
  if (previous?.manifest.encryption) {
    const { encryption } = previous.manifest
    if (encryption.hasPassphrase) {
      await copyFile(join(previous.place.folder, keyName), join(folder, keyName))
    }
    return { encryption, cipher: previous.place.cipher }
  }
  if (!secret) return { encryption: null, cipher: undefined }
  const { encryption, cipher, keyFile } = await createEncryption(secret)
  if (keyFile) await writeStored({ folder, cipher: undefined }, keyName, [keyFile], signal)
  return { encryption, cipher }
}

/** Requires that a folder contains nothing but a backup. @throws PlatformError `OPTION_INVALID` */
export async function requireEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const own = new Set<string>([names.objects, keyName])
  const other = found.find((name) => !own.has(name) && !name.startsWith('lock-'))
  if (other === undefined) return
  throw new PlatformError('OPTION_INVALID', 'The folder contains files that are not a backup.', {
    details: { folder, file: other },
    help: 'Choose an empty folder, or one that does not exist yet.',
  })
}
