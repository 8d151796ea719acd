import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Creates a random, URL-safe secret of 256 bits. */
export const createSecret = (): string => randomBytes(32).toString('base64url')

/** Hashes a secret for storage. Random secrets need no salt, because they cannot be guessed. */
export const hashSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url')

/** Prefix of encrypted strings; without it, a string was stored unencrypted. */
const prefix = 'sealed:1:'
const nonceBytes = 12
const tagBytes = 16

/** Place that an encrypted string belongs to: it cannot be decrypted in another one. */
export type SecretContext = readonly (string | number)[]

const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'servicekit', 32))

const dataOf = (context: SecretContext): Buffer => Buffer.from(JSON.stringify(context))

/**
 * Encrypts a string for the database with AES-256-GCM. Returns it unchanged without a
 * secret, as on PostgreSQL without `SERVICEKIT_SECRET`.
 */
export function encrypt(text: string, secret: string | undefined, context: SecretContext): string {
  if (secret === undefined) return text
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(dataOf(context))
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return prefix + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')
}

/** Decrypts the result of {@link encrypt}; undefined for another secret or context. */
export function decrypt(
  stored: string,
  secret: string | undefined,
  context: SecretContext,
): string | undefined {
  if (!stored.startsWith(prefix)) return stored
  if (secret === undefined) return undefined
  const bytes = Buffer.from(stored.slice(prefix.length), 'base64url')
  const [nonce, rest] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes)]
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), nonce)
    decipher.setAAD(dataOf(context)).setAuthTag(rest.subarray(0, tagBytes))
    const text = decipher.update(rest.subarray(tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
