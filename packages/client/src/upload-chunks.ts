import type { UploadSource } from './upload-source.ts'

/*
 * Loaded for files sent in parts and for sources other than a Blob. Imports only types, so
 * that bundlers do not create a third chunk of shared modules.
 */

/**
 * Yields the bytes of a source, and throws if it fails or does not have the declared size:
 * the storage would otherwise take a part for the whole.
 *
 * @param start First byte to read.
 * @param size Size of the whole source; undefined if not declared.
 * @param unreadable Creates the error.
 */
export async function* chunksFrom(
  source: UploadSource,
  start: number,
  size: number | undefined,
  unreadable: (why: string, cause?: unknown) => Error,
): AsyncGenerator<Uint8Array, void, undefined> {
  let end = start
  try {
    for await (const chunk of chunksOf(source, start)) {
      end += chunk.byteLength
      if (size !== undefined && end > size) break
      yield chunk
    }
  } catch (cause) {
    throw unreadable('', cause)
  }
  if (size !== undefined && end !== size) {
    throw unreadable(`: it has ${end > size ? 'more' : 'fewer'} bytes than its size of ${size}`)
  }
}

function chunksOf(source: UploadSource, start: number): AsyncIterable<Uint8Array> {
  if (source instanceof Blob) return read(source.slice(start).stream())
  if (source instanceof Uint8Array) return once(source.subarray(start))
  if ('open' in source) return source.open(start)
  return after(Symbol.asyncIterator in source ? source : read(source), start)
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

/** Iterates over a stream, for browsers that cannot do so themselves. */
async function* read(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

/** Skips the first `start` bytes. */
async function* after(source: AsyncIterable<Uint8Array>, start: number) {
  let skip = start
  for await (const chunk of source) {
    if (skip < chunk.byteLength) yield skip > 0 ? chunk.subarray(skip) : chunk
    skip = Math.max(0, skip - chunk.byteLength)
  }
}
