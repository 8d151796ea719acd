/**
 * Reads all bytes of a stream. Returns undefined, without reading on, if there are more
 * than `max`.
 */
export async function readBytes(
  source: AsyncIterable<Uint8Array>,
  max: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    size += chunk.byteLength
    if (size > max) return undefined
    chunks.push(chunk)
  }
  const [only] = chunks
  if (chunks.length === 1) return only
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
