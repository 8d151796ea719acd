/** A source that can be opened more than once, and from the middle: a file on disk for instance. */
export interface ReopenableSource {
  readonly size: number
  /** @param start Byte to begin with. */
  readonly open: (start: number) => AsyncIterable<Uint8Array>
}

/** What can be uploaded. A stream is read once: a failure under way begins from zero again. */
export type UploadSource =
  | Blob
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | ReopenableSource

/** A source in one form. */
export interface Bytes {
  /** Undefined for a stream whose length nobody gave. */
  readonly size: number | undefined
  /** Whether it can be sent again. */
  readonly isRepeatable: boolean
  readonly whole: Blob | Uint8Array | undefined
  readonly open: (start: number) => AsyncIterable<Uint8Array>
}

export function bytesOf(source: UploadSource, size: number | undefined): Bytes {
  if (source instanceof Blob) {
    const open = (start: number) => chunksOf(source.slice(start).stream())
    return { size: source.size, isRepeatable: true, whole: source, open }
  }
  if (source instanceof Uint8Array) {
    const open = async function* (start: number) {
      yield source.subarray(start)
    }
    return { size: source.byteLength, isRepeatable: true, whole: source, open }
  }
  if ('open' in source) {
    return { size: source.size, isRepeatable: true, whole: undefined, open: source.open }
  }
  const stream = Symbol.asyncIterator in source ? source : chunksOf(source)
  return { size, isRepeatable: false, whole: undefined, open: (start) => after(stream, start) }
}

/** For browsers that cannot iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>) {
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
