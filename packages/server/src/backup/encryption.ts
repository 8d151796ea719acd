import { PlatformError } from '@servicekit/platform'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/*
 * Files are encrypted with age (https://age-encryption.org/v1). A passphrase would cost a second
 * for each file: it encrypts only the identity in `key.age`, to which all other files are encrypted.
 */

/** Secret of an encrypted backup: a passphrase, or the content of an age identity file. */
export type BackupSecret =
  | { readonly kind: 'passphrase'; readonly value: string }
  | { readonly kind: 'key'; readonly value: string }

/** Encryption of a backup, as in its manifest. */
export interface Encryption {
  readonly format: 'age'
  readonly recipient: string
  /** True if the identity is in `key.age`, encrypted with a passphrase. */
  readonly hasPassphrase: boolean
}

/** Identity that decrypts a backup, and its recipient. */
export interface Cipher {
  readonly identity: string
  readonly recipient: string
}

export const keyName = 'key.age'

/** Work factor of scrypt: 2^17, which takes 128 MiB and about half a second. */
const workFactor = 17

/** Returns the identity in an age key file. @throws PlatformError `OPTION_INVALID` */
function identityIn(text: string): string {
  const identity = /^AGE-SECRET-KEY-\S+$/m.exec(text)?.[0]
  if (identity !== undefined) return identity
  throw new PlatformError('OPTION_INVALID', 'The key file contains no age identity.', {
    help: '`age-keygen -o FILE` creates one. For another secret, use --passphrase-file.',
  })
}

const cipherOf = async (identity: string): Promise<Cipher> => ({
  identity,
  recipient: await identityToRecipient(identity),
})

/**
 * Creates the encryption of a new backup.
 *
 * @returns `keyFile`, the content of `key.age` for a passphrase.
 */
export async function createEncryption(secret: BackupSecret) {
  const isKey = secret.kind === 'key'
  const cipher = await cipherOf(isKey ? identityIn(secret.value) : await generateX25519Identity())
  const encryption: Encryption = {
    format: 'age',
    recipient: cipher.recipient,
    hasPassphrase: !isKey,
  }
  if (isKey) return { cipher, encryption, keyFile: undefined }
  const encrypter = new Encrypter()
  encrypter.setPassphrase(secret.value)
  encrypter.setScryptWorkFactor(workFactor)
  return { cipher, encryption, keyFile: await encrypter.encrypt(`${cipher.identity}\n`) }
}

/** Returns the cipher of an encrypted backup. @throws PlatformError `OPTION_INVALID` */
export async function openEncryption(
  folder: string,
  { hasPassphrase, recipient }: Encryption,
  secret: BackupSecret | undefined,
): Promise<Cipher> {
  const kind = hasPassphrase ? 'passphrase' : 'key'
  const flag = `--${kind}-file`
  if (secret?.kind !== kind) {
    throw new PlatformError('OPTION_INVALID', `The backup is encrypted. Use ${flag}.`)
  }
  const identity = hasPassphrase
    ? await unlock(join(folder, keyName), secret.value)
    : identityIn(secret.value)
  const cipher = identity === undefined ? undefined : await cipherOf(identity)
  if (cipher?.recipient === recipient) return cipher
  throw new PlatformError('OPTION_INVALID', `The secret of ${flag} is not that of the backup.`)
}

/** Decrypts a key file; undefined if the passphrase is not its own. */
async function unlock(path: string, passphrase: string): Promise<string | undefined> {
  const file = await readFile(path).catch((cause: unknown) => {
    throw new PlatformError('BACKUP_INVALID', 'A file of the backup is missing.', {
      cause,
      details: { file: path },
    })
  })
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  return decrypter.decrypt(file, 'text').then(identityIn, () => undefined)
}

/** Encrypts a stream. */
export async function encryptStream(source: Readable, { recipient }: Cipher): Promise<Readable> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return throughWeb(source, (stream) => encrypter.encrypt(stream))
}

/** Decrypts a stream, which fails if it was changed or shortened. */
export async function decryptStream(source: Readable, { identity }: Cipher): Promise<Readable> {
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return throughWeb(source, (stream) => decrypter.decrypt(stream))
}

async function throughWeb(
  source: Readable,
  convert: (stream: never) => Promise<unknown>,
): Promise<Readable> {
  const converted = await convert(Readable.toWeb(source) as never)
  return Readable.fromWeb(converted as ReadableStream<Uint8Array>)
}
