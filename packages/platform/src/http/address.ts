import { isLoopbackUrl } from '@servicekit/core'
import type { ResolvedOptions } from '../options.ts'

/**
 * Returns the base URL of the platform as browsers see it: `publicUrl`, or the origin of
 * the request.
 */
export const ownAddress = (
  { publicUrl }: Pick<ResolvedOptions, 'publicUrl'>,
  request: Request,
): URL => new URL(publicUrl ?? new URL(request.url).origin)

/** Headers with which a proxy forwards the sender of a request. */
const forwarding =
  /^(?:via|cf-ray)$|forwarded|original-(?:for|host|url)|(?:real|client|connecting|connection|cluster|user)-?ip$/

/** Returns true if a proxy forwarded the request. */
export function isForwarded(headers: Headers): boolean {
  for (const name of headers.keys()) if (forwarding.test(name)) return true
  return false
}

/**
 * Returns true if a request reaches the platform directly, by a loopback name: without a
 * configured public URL, and without a proxy.
 */
export const isLocalRequest = (
  options: Pick<ResolvedOptions, 'publicUrl'>,
  request: Request,
): boolean =>
  isLoopbackUrl(ownAddress(options, request).origin) &&
  isLoopbackUrl(request.url) &&
  !isForwarded(request.headers)
