import { ServicekitError } from './errors.ts'

/** Source that can be opened repeatedly and at any position, for example a file on disk. */
export interface ReopenableSource {
  /** Size in bytes. An upload of more or fewer bytes fails. */
  readonly size: number
  /** Reads from byte `start` on. */
  readonly open: (start: number) => AsyncIterable<Uint8Array>
}

/** Source of an upload. A stream is read only once: an upload that fails must start from zero. */
export type UploadSource =
  | Blob
  | Uint8Array
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | ReopenableSource

/** Normalized source. */
export interface Bytes {
  /** Size in bytes; undefined for a stream of unknown length. */
  readonly size: number | undefined
  /** True if it can be read again. */
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
      // Most files are sent as a whole, without reading them here.
      const { chunksFrom } = await import('./upload-chunks.ts')
      yield* chunksFrom(source, start, known, unreadable)
    },
  }
}

/** Creates the error for an unreadable source. */
export const unreadable = (why: string, cause?: unknown): ServicekitError =>
  new ServicekitError(`Cannot read the file to upload${why}`, { code: 'READ_FAILED', cause })
