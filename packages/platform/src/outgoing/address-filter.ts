import ipaddr from 'ipaddr.js'

/** Kinds of address that the platform sends requests to only if allowed. */
export type AddressKind = 'loopback' | 'private'

const kinds = new Map<string, AddressKind>([
  ['loopback', 'loopback'],
  ['private', 'private'],
  ['uniqueLocal', 'private'],
  ['carrierGradeNat', 'private'],
])

/**
 * Returns why an address is blocked, or undefined when it is allowed. Other special ranges
 * are always blocked: a link-local address may return a cloud machine's credentials.
 */
export function addressProblem(
  address: string,
  allowed: ReadonlySet<AddressKind>,
): string | undefined {
  if (!ipaddr.isValid(address)) return `${address} is not an IP address`
  // An IPv4-mapped IPv6 address is judged by its IPv4 address.
  const range = ipaddr.process(address).range()
  if (range === 'unicast') return undefined
  const kind = kinds.get(range)
  if (kind === undefined) return `${address} is in a blocked range (${range})`
  if (allowed.has(kind)) return undefined
  return `${address} is a ${kind} address; the option "outgoing" can allow ${kind} addresses`
}
