import type { UploadSource } from './upload-source.ts'

/*
 * Loaded when a file goes in parts, or is no Blob. It imports nothing but types, so that no
 * bundler makes a third file of what it would have in common with the rest.
 */

/**
 * The bytes of a source that may fail, or not be as long as was said: what a storage
 * takes for the whole would be a part of it.
 *
 * @param start Byte to begin with.
 * @param size Of the whole, undefined where nobody gave it.
 * @param unreadable Makes the error.
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
    throw unreadable(`: it has ${end > size ? 'more' : 'fewer'} than the ${size} bytes of its size`)
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

/** For browsers that cannot iterate over a stream. */
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

/** What comes after the first bytes. */
async function* after(source: AsyncIterable<Uint8Array>, start: number) {
  let skip = start
  for await (const chunk of source) {
    if (skip < chunk.byteLength) yield skip > 0 ? chunk.subarray(skip) : chunk
    skip = Math.max(0, skip - chunk.byteLength)
  }
}
