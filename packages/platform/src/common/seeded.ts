import { createHash, randomBytes } from 'node:crypto'

/** Source of ids and secrets. */
export interface Randomness {
  /** Returns an id in the form of a random UUID. */
  readonly newId: () => string
  readonly bytes: (count: number) => Buffer
  /**
   * Creates an independent source. Using it does not advance this one.
   *
   * @param name distinguishes the sources of one seed.
   */
  readonly fork: (name: string) => Randomness
  /** True if all values are derived from a seed. */
  readonly isSeeded: boolean
}

/** Cryptographically secure randomness. */
export const randomness: Randomness = {
  newId: () => crypto.randomUUID(),
  bytes: randomBytes,
  fork: () => randomness,
  isSeeded: false,
}

/**
 * Returns the same sequence for the same seed, so that two runs of one script produce the
 * same ids. Anyone who knows the seed can derive every secret, so use it only for tests.
 */
export function seeded(seed: number, name = ''): Randomness {
  let count = 0
  const block = (): Buffer => createHash('sha256').update(`${seed} ${name}${++count}`).digest()
  return {
    newId: () => {
      const bytes = block()
      bytes[6] = (bytes[6]! & 0x0f) | 0x40
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      const hex = bytes.toString('hex', 0, 16)
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
    bytes: (wanted) => {
      const blocks = Array.from({ length: Math.ceil(wanted / 32) }, block)
      return Buffer.concat(blocks).subarray(0, wanted)
    },
    fork: (other) => seeded(seed, `${name}${other} `),
    isSeeded: true,
  }
}
