import { createHmac, timingSafeEqual } from 'node:crypto'

/** Request that a signed address allows. Every member is part of the signature. */
export interface Permit {
  readonly method: 'PUT' | 'GET' | 'POST'
  readonly projectKey: string
  readonly itemId: string
  readonly name: string
  /** Seconds since 1970. */
  readonly expires: number
  /** Maximum bytes of an upload; 0 for other requests. */
  readonly limit: number
}

/** Path below which the platform serves its own addresses of files. */
export const objectsPath = '/_platform/objects'

/** Returns whether a path is below it. These paths are open even where control routes are not. */
export const isObjectPath = (path: string): boolean => path.startsWith(`${objectsPath}/`)

/** Returns the path of a file. */
export const objectPath = ({
  projectKey,
  itemId,
  name,
}: Pick<Permit, 'projectKey' | 'itemId' | 'name'>): string =>
  `${objectsPath}/${[projectKey, itemId, name].map(encodeURIComponent).join('/')}`

/** Returns the signed path and query. */
export function signPath(permit: Permit, key: string): string {
  const query = new URLSearchParams({
    method: permit.method,
    expires: String(permit.expires),
    limit: String(permit.limit),
    signature: signatureOf(permit, key),
  })
  return `${objectPath(permit)}?${query}`
}

/** Reasons for rejecting an address, worded so that they do not help to forge one. */
export type PermitFault =
  | 'it was not signed by this platform'
  | 'it is for another method'
  | 'it is over'

/**
 * Checks a signed address.
 *
 * @param now in seconds since 1970.
 */
export function checkPermit(
  permit: Permit,
  signature: string,
  method: string,
  key: string,
  now: number,
): PermitFault | undefined {
  const expected = Buffer.from(signatureOf(permit, key))
  const given = Buffer.from(signature)
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) {
    return 'it was not signed by this platform'
  }
  const isSame = method === permit.method || (method === 'HEAD' && permit.method === 'GET')
  if (!isSame) return 'it is for another method'
  return permit.expires > now ? undefined : 'it is over'
}

function signatureOf(permit: Permit, key: string): string {
  const { method, projectKey, itemId, name, expires, limit } = permit
  // JSON is unambiguous: no two permits serialize to the same text.
  const text = JSON.stringify([method, projectKey, itemId, name, expires, limit])
  return createHmac('sha256', key).update(text).digest('base64url')
}
