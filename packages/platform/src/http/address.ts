import { isLoopbackUrl } from '@servicekit/core'
import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import type { ResolvedOptions } from '../options.ts'
import type { AppEnv } from './app-env.ts'

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

/**
 * Returns the address of the sender. IPv6 addresses are reduced to their /64 network,
 * which belongs to one subscriber.
 */
export function senderOf(
  c: Context<AppEnv>,
  { trustProxy }: Pick<ResolvedOptions, 'trustProxy'>,
): string {
  // The proxy appends the last address; clients control the ones before it.
  const forwarded = trustProxy
    ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
    : undefined
  return networkOf(forwarded || (c.env?.incoming?.socket.remoteAddress ?? 'in process'))
}

/** Returns an IPv4 address unchanged, and an IPv6 address as its /64 network. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
