import { createHash } from 'node:crypto'
import type { ReopenableSource } from '@servicekit/client/storage'

/** Creates bytes on demand, the same at every position wherever a read starts. */
export const sampleBytes = (
  size: number,
  onRead: (bytes: number) => unknown = () => undefined,
): ReopenableSource => ({
  size,
  async *open(start) {
    for (let at = start; at < size;) {
      const chunk = Buffer.alloc(Math.min(65_536, size - at))
      // One byte in a thousand encodes its position.
      for (let index = (1000 - (at % 1000)) % 1000; index < chunk.length; index += 1000) {
        chunk[index] = ((at + index) / 1000) % 251
      }
      await onRead(chunk.byteLength)
      yield chunk
      at += chunk.byteLength
    }
  },
})

/** Returns the size and hash of a source. */
export async function hashOf(
  source: AsyncIterable<Uint8Array>,
): Promise<readonly [number, string]> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of source) {
    hash.update(chunk)
    size += chunk.byteLength
  }
  return [size, hash.digest('hex')]
}
