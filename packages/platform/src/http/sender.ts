import type { Context } from 'hono'
import { isIPv6 } from 'node:net'
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
  const told = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  return networkOf(told || (c.env?.incoming?.socket.remoteAddress ?? 'in process'))
}

/** Returns an IPv4 address unchanged, and an IPv6 address as its /64 network. */
export function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const [left = [], right = []] = bare
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const missing = Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = bare.includes('::') ? [...left, ...missing, ...right] : left
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
