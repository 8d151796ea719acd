import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'

/** Size of a secret: 256 bits. */
const secretBytes = 32

/** Creates a URL-safe secret. */
export const makeSecret = (randomBytes: (count: number) => Buffer): string =>
  randomBytes(secretBytes).toString('base64url')

/** Hashes a secret for storage. Random secrets need no salt, because they cannot be guessed. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

/** Compares two strings in constant time. */
export const isSameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'servicekit successor', 32))

const nonceBytes = 12
const tagBytes = 16

/** Encrypts a string with a secret. */
export function seal(text: string, secret: string, nonce: Uint8Array): string {
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce.subarray(0, nonceBytes))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce.subarray(0, nonceBytes), cipher.getAuthTag(), sealed]).toString(
    'base64url',
  )
}

/** Decrypts the output of {@link seal}; throws if the secret is wrong. */
export function unseal(sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = decipher.update(bytes.subarray(nonceBytes + tagBytes))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}
