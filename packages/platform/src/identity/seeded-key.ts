import { checkPrimeSync, type JsonWebKey } from 'node:crypto'

/** Length of each prime, in bytes: together they make a key of 2048 bits. */
const primeBytes = 128
const publicExponent = 65_537n

/**
 * An RSA key that follows from the bytes alone, for platforms with a seed: two
 * runs then sign the same. Whoever has the seed has the key.
 */
export function seededKey(bytes: (count: number) => Buffer): JsonWebKey {
  const p = primeOf(bytes)
  let q = primeOf(bytes)
  while (q === p) q = primeOf(bytes)
  const d = inverse(publicExponent, (p - 1n) * (q - 1n))
  const numbers = {
    n: p * q,
    e: publicExponent,
    d,
    p,
    q,
    dp: d % (p - 1n),
    dq: d % (q - 1n),
    qi: inverse(q, p),
  }
  const texts = Object.entries(numbers).map(([name, value]) => [name, textOf(value)])
  return { kty: 'RSA', ...(Object.fromEntries(texts) as Record<keyof typeof numbers, string>) }
}

/** The next prime of the bytes whose product with another one has the full length. */
function primeOf(bytes: (count: number) => Buffer): bigint {
  const start = bytes(primeBytes)
  start[0]! |= 0xc0
  start[primeBytes - 1]! |= 1
  let candidate = BigInt(`0x${start.toString('hex')}`)
  while ((candidate - 1n) % publicExponent === 0n || !checkPrimeSync(candidate)) candidate += 2n
  return candidate
}

/** What times `value` leaves 1 of `modulus`. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next, factor, following] = [modulus, value % modulus, 0n, 1n]
  while (next !== 0n) {
    const times = rest / next
    ;[rest, next] = [next, rest - times * next]
    ;[factor, following] = [following, factor - times * following]
  }
  return ((factor % modulus) + modulus) % modulus
}

function textOf(value: bigint): string {
  const hex = value.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url')
}
