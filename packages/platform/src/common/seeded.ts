import { createHash, randomBytes } from 'node:crypto'

/** Where ids and secrets come from. */
export interface Randomness {
  /** An id in the form of a random UUID. */
  readonly newId: () => string
  readonly bytes: (count: number) => Buffer
  /**
   * A source of its own: what is taken of it moves this one on by nothing.
   *
   * @param name tells the sources of one seed apart.
   */
  readonly fork: (name: string) => Randomness
  /** Whether a seed foretells it all. */
  readonly isSeeded: boolean
}

/** What nobody can foresee. */
export const randomness: Randomness = {
  newId: () => crypto.randomUUID(),
  bytes: randomBytes,
  fork: () => randomness,
  isSeeded: false,
}

/**
 * The same sequence for the same seed, so that two runs of one script give the
 * same ids. Whoever knows the seed knows every secret: it is for tests.
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
