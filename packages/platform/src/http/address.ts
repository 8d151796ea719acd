import { isLoopbackUrl } from '@servicekit/contract'
import type { ResolvedOptions } from '../options.ts'

/** The address of the platform as browsers see it: `publicUrl`, or the address of the request. */
export const ownAddress = (
  { publicUrl }: Pick<ResolvedOptions, 'publicUrl'>,
  request: Request,
): URL => new URL(publicUrl ?? new URL(request.url).origin)

/** Headers by which a proxy passes on who sent a request. */
const forwarding =
  /^(?:via|cf-ray)$|forwarded|original-(?:for|host|url)|(?:real|client|connecting|connection|cluster|user)-?ip$/

/** Returns whether a proxy passed the request on. */
export function isForwarded(headers: Headers): boolean {
  for (const name of headers.keys()) if (forwarding.test(name)) return true
  return false
}

/**
 * Returns whether a request addresses the platform by a loopback name and
 * directly: with no public URL configured and no proxy in between.
 */
export const isLocalRequest = (
  options: Pick<ResolvedOptions, 'publicUrl'>,
  request: Request,
): boolean =>
  isLoopbackUrl(ownAddress(options, request).origin) &&
  isLoopbackUrl(request.url) &&
  !isForwarded(request.headers)
