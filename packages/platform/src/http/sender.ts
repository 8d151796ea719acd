import type { Context } from 'hono'
import ipaddr from 'ipaddr.js'
import type { ResolvedOptions } from '../options.ts'
import type { AppEnv } from './app-env.ts'

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
