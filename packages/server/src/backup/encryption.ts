import { PlatformError } from '@servicekit/platform'
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { Transform } from 'node:stream'
import { promisify } from 'node:util'

/*
 * The construction of age: a key for each file, and chunks whose nonce is their number and
 * marks the last one, so that none can be removed, repeated or moved.
 */

/** Secret of an encrypted backup: a passphrase, or the content of a key file. */
export type BackupSecret =
  | { readonly kind: 'passphrase'; readonly value: string }
  | { readonly kind: 'key'; readonly value: string }

/** Encryption of a backup, as in its manifest. */
export interface Encryption {
  readonly kind: BackupSecret['kind']
  readonly salt: string
  /** Detects a wrong secret before anything is decrypted. */
  readonly check: string
}

/** Cost of scrypt: 128 MiB and about half a second. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 2 ** 20 }

const derive = (key: Uint8Array, salt: Uint8Array | string, info: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, info, 32))

/** Derives the key of a backup. A key file has random content and needs no slow function. */
async function keyOf({ kind, value }: BackupSecret, salt: Buffer): Promise<Buffer> {
  if (kind === 'key') return derive(Buffer.from(value), salt, 'servicekit-backup')
  const run = promisify<string, Buffer, number, object, Buffer>(scrypt)
  return run(value.normalize('NFC'), salt, 32, cost)
}

const checkOf = (key: Buffer): string => derive(key, '', 'check').toString('base64url')

/** Creates the encryption of a new backup. */
export async function createEncryption(secret: BackupSecret) {
  const salt = randomBytes(16)
  const key = await keyOf(secret, salt)
  const encryption: Encryption = {
    kind: secret.kind,
    salt: salt.toString('base64url'),
    check: checkOf(key),
  }
  return { encryption, key }
}

/** Returns the key of an encrypted backup. @throws PlatformError `OPTION_INVALID` */
export async function openEncryption(
  { kind, salt, check }: Encryption,
  secret: BackupSecret | undefined,
): Promise<Buffer> {
  const flag = kind === 'key' ? '--key-file' : '--passphrase-file'
  if (secret?.kind !== kind) {
    throw new PlatformError('OPTION_INVALID', `The backup is encrypted. Use ${flag}.`)
  }
  const key = await keyOf(secret, Buffer.from(salt, 'base64url'))
  if (checkOf(key) === check) return key
  throw new PlatformError('OPTION_INVALID', `The secret of ${flag} is not that of the backup.`)
}

const chunkBytes = 64 * 1024
const tagBytes = 16
const saltBytes = 16

function nonceOf(count: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(count, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Splits a stream into chunks of a size; only the last one may be shorter. */
function inChunks(
  size: number,
  handle: (chunk: Buffer, isLast: boolean) => Buffer,
  before?: Buffer,
): Transform {
  let pending: Buffer = Buffer.alloc(0)
  return new Transform({
    construct(done) {
      if (before) this.push(before)
      done()
    },
    transform(data: Buffer, _encoding, done) {
      try {
        pending = pending.length === 0 ? data : Buffer.concat([pending, data])
        // The last chunk is known only at the end.
        while (pending.length > size) {
          this.push(handle(pending.subarray(0, size), false))
          pending = pending.subarray(size)
        }
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    flush(done) {
      try {
        this.push(handle(pending, true))
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

/** Encrypts a file of a backup. It can be decrypted only under the same name. */
export function encryptFile(key: Buffer, name: string): Transform {
  const salt = randomBytes(saltBytes)
  const fileKey = derive(key, salt, `file ${name}`)
  let count = 0
  const encrypt = (chunk: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv('aes-256-gcm', fileKey, nonceOf(count++, isLast))
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
  return inChunks(chunkBytes, encrypt, salt)
}

/** Decrypts a file of a backup; fails if it was changed, shortened or renamed. */
export function decryptFile(key: Buffer, name: string): Transform {
  let fileKey: Buffer | undefined
  let head: Buffer = Buffer.alloc(0)
  let count = 0
  const decrypt = (chunk: Buffer, isLast: boolean): Buffer => {
    try {
      const decipher = createDecipheriv('aes-256-gcm', fileKey!, nonceOf(count++, isLast))
      decipher.setAuthTag(chunk.subarray(-tagBytes))
      return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()])
    } catch (cause) {
      throw new PlatformError('BACKUP_INVALID', 'A file of the backup was changed or is damaged.', {
        cause,
        details: { file: name },
      })
    }
  }
  const chunks = inChunks(chunkBytes + tagBytes, decrypt)
  const transform = chunks._transform.bind(chunks)
  chunks._transform = (data: Buffer, encoding, done) => {
    if (fileKey) return transform(data, encoding, done)
    head = Buffer.concat([head, data])
    if (head.length < saltBytes) return done()
    fileKey = derive(key, head.subarray(0, saltBytes), `file ${name}`)
    const rest = head.subarray(saltBytes)
    return rest.length === 0 ? done() : transform(rest, encoding, done)
  }
  return chunks
}
