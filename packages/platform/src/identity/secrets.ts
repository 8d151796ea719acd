import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'

/** Characters of a secret that nobody guesses: 256 bits. */
const secretBytes = 32

/** Makes a secret that fits into addresses and cookies. */
export const makeSecret = (randomBytes: (count: number) => Buffer): string =>
  randomBytes(secretBytes).toString('base64url')

/** What is kept of a secret. It needs no salt: nobody guesses what it was made of. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

/** Compares in a time that says nothing about where two texts differ. */
export const isSameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'servicekit successor', 32))

const nonceBytes = 12
const tagBytes = 16

/** Encrypts a text so that only who has the secret reads it. */
export function seal(text: string, secret: string, nonce: Uint8Array): string {
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce.subarray(0, nonceBytes))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce.subarray(0, nonceBytes), cipher.getAuthTag(), sealed]).toString(
    'base64url',
  )
}

/** Reads what {@link seal} made; throws when the secret is another one. */
export function unseal(sealed: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const text = decipher.update(bytes.subarray(nonceBytes + tagBytes))
  return Buffer.concat([text, decipher.final()]).toString('utf8')
}
