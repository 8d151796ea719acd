import type { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

export interface StoredObject {
  readonly projectKey: string
  readonly itemId: string
  /** Name under which the bytes are stored: an id with the file's extension. */
  readonly systemName: string
  readonly name: string
}

/** Signed URL, usable without further authentication until it expires. */
interface SignedUrl {
  readonly url: string
  readonly requiredHeaders: Readonly<Record<string, string>>
  readonly expiresAt: Date
}

export interface StoredBytes {
  readonly sizeInBytes: number
  readonly contentType: string | undefined
  /** Changes whenever the bytes are replaced. */
  readonly etag: string | undefined
}

/** Storage for bytes. Clients use signed URLs directly, without the platform. */
export interface Backend {
  /** @param origin origin of the platform, for URLs that it serves itself. */
  readonly signUpload: (object: StoredObject, origin: string) => Promise<SignedUrl>
  /** @param origin origin of the platform, for URLs that it serves itself. */
  readonly signDownload: (object: StoredObject, origin: string) => Promise<SignedUrl>
  /** @returns undefined while there are no bytes. */
  readonly stat: (object: StoredObject) => Promise<StoredBytes | undefined>
  readonly remove: (object: StoredObject) => Promise<void>
  /** Signed URLs for the parts of a large file, for backends that need one per part. */
  readonly multipart?: Multipart
  /** Access to the bytes, for the backend whose bytes pass through the platform. */
  readonly local?: LocalFiles
  /** Preparations of an operator, for backends of object storage. */
  readonly setUp?: StorageSetUp
  readonly close?: () => void
}

export interface StorageSetUp {
  /** Creates the bucket or container unless it exists. */
  readonly create: () => Promise<void>
  /** Lets pages of these origins use signed URLs, besides those that may already. */
  readonly allowOrigins: (origins: readonly string[]) => Promise<void>
}

/** Headers that pages read of a response with a signed URL; `etag` names a stored part. */
export const exposedHeaders = ['ETag', 'Content-Length', 'Content-Range'] as const

/** Upload in parts, for backends where each URL is valid for one part. */
interface Multipart {
  readonly begin: (object: StoredObject, contentType?: string) => Promise<string>
  readonly signPart: (object: StoredObject, uploadId: string, part: number) => Promise<SignedUrl>
  readonly complete: (
    object: StoredObject,
    uploadId: string,
    parts: readonly { readonly part: number; readonly etag: string }[],
  ) => Promise<void>
  readonly abort: (object: StoredObject, uploadId: string) => Promise<void>
}

interface LocalFiles {
  /**
   * Receives a file, and then calls `save` with a function that replaces the bytes of the object;
   * by default, it replaces them at once.
   */
  readonly write: (
    object: StoredObject,
    body: ReadableStream<Uint8Array> | null,
    options: WriteOptions,
  ) => Promise<Written>
  /** Opens the bytes of a file; undefined if there are none. */
  readonly open: (object: StoredObject) => Promise<OpenedFile | undefined>
  readonly removeProject: (projectKey: string) => Promise<void>
}

/** Bytes that stay the same while they are read, even if the file is replaced. */
interface OpenedFile {
  readonly sizeInBytes: number
  /** Reads the bytes, or a range whose ends are both inclusive, and closes the file. */
  readonly read: (range?: { readonly start: number; readonly end: number }) => Readable
  readonly close: () => Promise<void>
}

interface WriteOptions {
  readonly maxBytes: number
  readonly md5?: string | undefined
  readonly save?: Save
}

/** Stores received bytes by a call of `place`, together with what is recorded about them. */
export type Save = (
  place: () => Promise<void>,
  bytes: Pick<WrittenBytes, 'sizeInBytes'>,
) => Promise<unknown>

interface WrittenBytes {
  readonly sizeInBytes: number
  readonly etag: string
}

export type Written = WrittenBytes | { readonly error: 'tooLarge' | 'wrongMd5' | 'interrupted' }

export const urlLifetimes = { upload: 900, download: 300 } as const

export const expiryOf = (now: Date, kind: keyof typeof urlLifetimes): Date =>
  new Date((Math.floor(now.getTime() / 1000) + urlLifetimes[kind]) * 1000)

/** Returns an object's key in a container or bucket that several projects share. */
export const objectKey = ({ projectKey, systemName }: StoredObject): string =>
  `${encodeURIComponent(projectKey)}/${systemName}`

/** Builds a `content-disposition` with the file name of a download; any character is allowed. */
export function attachment(name: string, kind: 'attachment' | 'inline' = 'attachment'): string {
  const plain = name.replaceAll(/[^\w.\- ]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
