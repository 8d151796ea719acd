import { createHmac } from 'node:crypto'
import { isEqualSecret } from './is-equal-secret.ts'

/** Request that a signed URL allows. Every member is part of the signature. */
export interface SignedRequest {
  readonly method: 'PUT' | 'GET' | 'POST'
  readonly projectKey: string
  readonly itemId: string
  readonly name: string
  /** Seconds since 1970. */
  readonly expires: number
  /** Maximum bytes of an upload; 0 for other requests. */
  readonly limit: number
}

/** Path below which the platform serves its own URLs of files. */
export const objectsPath = '/_platform/objects'

export const objectPath = ({
  projectKey,
  itemId,
  name,
}: Pick<SignedRequest, 'projectKey' | 'itemId' | 'name'>): string =>
  `${objectsPath}/${[projectKey, itemId, name].map(encodeURIComponent).join('/')}`

export function signPath(request: SignedRequest, key: string): string {
  const query = new URLSearchParams({
    method: request.method,
    expires: String(request.expires),
    limit: String(request.limit),
    signature: signatureOf(request, key),
  })
  return `${objectPath(request)}?${query}`
}

/**
 * Verifies a signed URL.
 *
 * @param now in seconds since 1970.
 * @returns why it is rejected, worded so that it does not help to forge one; undefined if it
 * is valid.
 */
export function verifySignature(
  request: SignedRequest,
  signature: string,
  method: string,
  key: string,
  now: number,
): string | undefined {
  if (!isEqualSecret(signature, signatureOf(request, key))) {
    return 'it was not signed by this platform'
  }
  const isSame = method === request.method || (method === 'HEAD' && request.method === 'GET')
  if (!isSame) return 'it is for another method'
  return request.expires > now ? undefined : 'it has expired'
}

function signatureOf(request: SignedRequest, key: string): string {
  const { method, projectKey, itemId, name, expires, limit } = request
  // JSON is unambiguous: no two requests serialize to the same text.
  const text = JSON.stringify([method, projectKey, itemId, name, expires, limit])
  return createHmac('sha256', key).update(text).digest('base64url')
}
