import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

/** Bytes of the nonce that stands before a sealed token, and of the tag after that. */
const nonceBytes = 12
const tagBytes = 16

/** Where a token or a secret belongs: in another row it cannot be read. */
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

/** Reads what {@link sealToken} made; undefined for another secret or another place. */
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
