import { BlockList, isIP } from 'node:net'

/** Kinds of address that the platform sends requests to only if allowed. */
export type AddressKind = 'loopback' | 'private'

type Range = readonly [address: string, prefix: number]

/** Addresses of this machine. */
const loopback = blockListOf([
  ['127.0.0.0', 8],
  ['::1', 128],
])
/** Private networks: offices, homes, machines side by side. */
const inner = blockListOf([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
])
/** Addresses that are always blocked: a link-local one may return a cloud machine's credentials. */
const never = blockListOf([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['2001:db8::', 32],
  ['100::', 64],
])
/** IPv6 addresses that embed an IPv4 address, which a translator on the path would reach. */
const translated = blockListOf([
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
])

/** Returns why an address is blocked, or undefined when it is allowed. */
export function addressFault(
  address: string,
  permitted: ReadonlySet<AddressKind>,
): string | undefined {
  const plain = mapped(address)
  const version = isIP(plain)
  if (version === 0) return `${address} is no address`
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const isIn = (list: BlockList): boolean => list.check(plain, family)
  if (isIn(loopback)) return permitted.has('loopback') ? undefined : refused(address, 'loopback')
  if (isIn(inner)) return permitted.has('private') ? undefined : refused(address, 'private')
  if (isIn(never) || isIn(translated)) return `${address} is an address that nothing is sent to`
  return undefined
}

const refused = (address: string, kind: AddressKind): string =>
  `${address} is a ${kind} address, and those are not permitted`

/** Returns the IPv4 address that an IPv6 address maps or embeds. */
function mapped(address: string): string {
  const bare = address.replace(/%.*$/, '')
  if (isIP(bare) !== 6) return bare
  const { hostname } = new URL(`http://[${bare}]`)
  const found = /^\[::(?:ffff:(?:0:)?)?([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname)
  if (!found) return bare
  const [high, low] = [Number.parseInt(found[1]!, 16), Number.parseInt(found[2]!, 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function blockListOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of ranges) {
    list.addSubnet(address, prefix, isIP(address) === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}
