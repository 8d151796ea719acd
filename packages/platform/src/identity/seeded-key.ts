import { checkPrimeSync, type JsonWebKey } from 'node:crypto'

/** Length of each prime in bytes, for a key of 2048 bits. */
const primeBytes = 128
const publicExponent = 65_537n

/**
 * Derives an RSA key from the bytes alone, so that platforms with the same seed create
 * the same signatures. Anyone who knows the seed has the key.
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

/**
 * Returns the first suitable prime at or after the next bytes. Its top bits are set, so
 * that the product of two primes has the full length.
 */
function primeOf(bytes: (count: number) => Buffer): bigint {
  const start = bytes(primeBytes)
  start[0]! |= 0xc0
  start[primeBytes - 1]! |= 1
  let candidate = BigInt(`0x${start.toString('hex')}`)
  while ((candidate - 1n) % publicExponent === 0n || !checkPrimeSync(candidate)) candidate += 2n
  return candidate
}

/** Returns the modular inverse of `value`. */
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
