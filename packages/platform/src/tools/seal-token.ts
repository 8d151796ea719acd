import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

/** Lengths of the nonce that precedes an encrypted token, and of the tag that follows the nonce. */
const nonceBytes = 12
const tagBytes = 16

/** Row that a token or secret belongs to: it cannot be decrypted in another row. */
export interface TokenPlace {
  readonly projectId: number
  readonly toolId: string
  readonly kind: 'access' | 'refresh' | 'client' | 'header' | 'signing'
}

const keyOf = (secret: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret, '', 'servicekit tool tokens', 32))

const placeOf = ({ projectId, toolId, kind }: TokenPlace): Buffer =>
  Buffer.from(JSON.stringify([projectId, toolId, kind]))

/** Encrypts a token with AES-256-GCM. */
export function sealToken(
  token: string,
  secret: string,
  place: TokenPlace,
  randomBytes: (count: number) => Buffer,
): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(placeOf(place))
  const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts the result of {@link sealToken}; undefined for another secret or another place. */
export function openToken(sealed: string, secret: string, place: TokenPlace): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, nonceBytes))
    decipher.setAAD(placeOf(place)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    const text = decipher.update(bytes.subarray(nonceBytes + tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
