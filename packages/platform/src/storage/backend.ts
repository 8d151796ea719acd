/** A file as a backend knows it. */
export interface StoredObject {
  readonly projectKey: string
  readonly itemId: string
  /** Name under which the bytes are kept: an id with the file's ending. */
  readonly systemName: string
  /** Name for people. */
  readonly name: string
}

/** An address that may be used for a while, as it is. */
interface SignedAddress {
  readonly url: string
  /** Headers without which the backend refuses. */
  readonly requiredHeaders: Readonly<Record<string, string>>
  readonly expiresAt: Date
}

/** Where the platform is reached, and what time it is. */
interface SigningContext {
  readonly origin: string
}

/** What a backend knows of the bytes of a file. */
export interface StoredBytes {
  readonly sizeInBytes: number
  readonly contentType: string | undefined
}

/** A place for bytes. Whoever has a signed address uses it without the platform. */
export interface Backend {
  readonly strategy: string
  readonly signUpload: (object: StoredObject, context: SigningContext) => Promise<SignedAddress>
  readonly signDownload: (object: StoredObject, context: SigningContext) => Promise<SignedAddress>
  /** @returns undefined while there are no bytes. */
  readonly stat: (object: StoredObject) => Promise<StoredBytes | undefined>
  readonly remove: (object: StoredObject) => Promise<void>
  /** Signed addresses for the parts of a large file, where the backend wants one for each. */
  readonly multipart?: Multipart
  readonly close?: () => void
}

/** An upload in parts, on backends where one address is good for one part. */
interface Multipart {
  readonly begin: (object: StoredObject, contentType?: string) => Promise<string>
  readonly signPart: (
    object: StoredObject,
    uploadId: string,
    part: number,
  ) => Promise<SignedAddress>
  readonly complete: (
    object: StoredObject,
    uploadId: string,
    parts: readonly { readonly part: number; readonly etag: string }[],
  ) => Promise<void>
  readonly abort: (object: StoredObject, uploadId: string) => Promise<void>
}

/** How long addresses are good for, in seconds. */
export const addressLifetimes = { upload: 900, download: 300 } as const

/** The instant at which an address that is made now ends. */
export const expiryOf = (now: Date, kind: keyof typeof addressLifetimes): Date =>
  new Date((Math.floor(now.getTime() / 1000) + addressLifetimes[kind]) * 1000)

/** Where an object is in a container or bucket that several projects share. */
export const objectKey = ({ projectKey, systemName }: StoredObject): string =>
  `${encodeURIComponent(projectKey)}/${systemName}`

/** A `content-disposition` that gives a download its name, whatever characters are in it. */
export function attachment(name: string, kind: 'attachment' | 'inline' = 'attachment'): string {
  const plain = name.replaceAll(/[^\w.\- ]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
