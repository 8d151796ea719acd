import { ServicekitError } from './errors.ts'

/** A source that can be opened more than once, and from the middle: a file on disk for instance. */
export interface ReopenableSource {
  /** In bytes; an upload of more or fewer fails. */
  readonly size: number
  /** Reads from the byte `start` on. */
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

export function bytesOf(source: UploadSource, given: number | undefined): Bytes {
  const whole = source instanceof Blob || source instanceof Uint8Array ? source : undefined
  const isRepeatable = whole !== undefined || 'open' in source
  const { size, byteLength } = source as { readonly size?: number; readonly byteLength?: number }
  const known = isRepeatable ? (size ?? byteLength) : given
  return {
    size: known,
    isRepeatable,
    whole,
    async *open(start) {
      // Most files go in one piece, and are not looked into here.
      const { chunksFrom } = await import('./upload-chunks.ts')
      yield* chunksFrom(source, start, known, unreadable)
    },
  }
}

/** The error for a source that cannot be read. */
export const unreadable = (why: string, cause?: unknown): ServicekitError =>
  new ServicekitError(`Could not read the file to upload${why}`, { code: 'READ_FAILED', cause })
