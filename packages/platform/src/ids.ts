import { createHash } from 'node:crypto'

/** Returns a generator of ids like random UUIDs; with a seed, the same in every run. */
export function idGenerator(seed?: string): () => string {
  if (seed === undefined) return () => crypto.randomUUID()
  let count = 0
  return () => {
    const bytes = createHash('sha256').update(`${seed} ${++count}`).digest()
    bytes[6] = (bytes[6]! & 0x0f) | 0x40
    bytes[8] = (bytes[8]! & 0x3f) | 0x80
    return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
}
