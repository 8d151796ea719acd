/** File as a backend identifies it. */
export interface StoredObject {
  readonly projectKey: string
  readonly itemId: string
  /** Name under which the bytes are stored: an id with the file's extension. */
  readonly systemName: string
  /** Display name. */
  readonly name: string
}

/** Signed address, usable without further authentication until it expires. */
interface SignedAddress {
  readonly url: string
  /** Headers that the backend requires. */
  readonly requiredHeaders: Readonly<Record<string, string>>
  readonly expiresAt: Date
}

/** Origin of the platform and the current time. */
interface SigningContext {
  readonly origin: string
}

/** Metadata that a backend has about the bytes of a file. */
export interface StoredBytes {
  readonly sizeInBytes: number
  readonly contentType: string | undefined
}

/** Storage for bytes. Clients use signed addresses directly, without the platform. */
export interface Backend {
  readonly strategy: string
  readonly signUpload: (object: StoredObject, context: SigningContext) => Promise<SignedAddress>
  readonly signDownload: (object: StoredObject, context: SigningContext) => Promise<SignedAddress>
  /** @returns undefined while there are no bytes. */
  readonly stat: (object: StoredObject) => Promise<StoredBytes | undefined>
  readonly remove: (object: StoredObject) => Promise<void>
  /** Signed addresses for the parts of a large file, for backends that need one per part. */
  readonly multipart?: Multipart
  readonly close?: () => void
}

/** Upload in parts, for backends where each address is valid for one part. */
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

/** Lifetimes of signed addresses, in seconds. */
export const addressLifetimes = { upload: 900, download: 300 } as const

/** Returns the expiry of an address that is signed now. */
export const expiryOf = (now: Date, kind: keyof typeof addressLifetimes): Date =>
  new Date((Math.floor(now.getTime() / 1000) + addressLifetimes[kind]) * 1000)

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
