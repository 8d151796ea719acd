import type { storage as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import { isAddress } from './address.ts'
import { blobFailure } from './blob-failure.ts'
import type { BlobTransport } from './blobs.ts'
import type { CallOptions, Core } from './core.ts'
import type { Listing, ListOptions } from './listing.ts'
import { parsed } from './parsed.ts'
import { pagesOf } from './read-page.ts'
import { isObject, type Known, listIn, operate, pick, textOf, wrongShape } from './shapes.ts'
import { putSigned, type UploadProgress, type UploadState } from './signed-upload.ts'
import { bytesOf, type UploadSource } from './upload-source.ts'
import { defaultBlobs } from '#blobs'

export type { BlobBody, BlobTransport, GetRequest, PutRequest } from './blobs.ts'
export type { UploadProgress, UploadState } from './signed-upload.ts'
export type { Md5 } from './md5.ts'
export type { ReopenableSource, UploadSource } from './upload-source.ts'

/** File (section 2.11: the interface does not show its fields). */
export type StoredFile = Omit<Known<contract.File>, 'parentDirectoryID'> & {
  readonly parentDirectoryId: string | undefined
  /** The record as it came. */
  readonly raw: unknown
}

/**
 * Storage configuration. Other members of the answer are dropped, and there is
 * no raw one: some instances send credentials along.
 */
export interface StorageConfiguration {
  /** Undefined where the instance does not say. */
  readonly itemId: string | undefined
  /** What other operations call `configurationName`. */
  readonly name: string
  /** Lower-case: `azure`, `amazon`, `s3compatible`, `sftpstorage`. */
  readonly strategy: string
}

/** Storage configurations of the project. @throws RequestError, OperationError @see section 4.4 */
export async function listConfigurations(
  core: Core,
  call: CallOptions = {},
): Promise<readonly StorageConfiguration[]> {
  const intent = 'list the storage configurations'
  const route = routes.storageListConfigurations
  const input = { ...call, intent }
  const body = await operate(core, route, input, ({ text }) => parsed(text)).catch(
    (error: unknown) => {
      // Some instances send credentials along, which no error may show.
      const { body } = error as { readonly body?: unknown }
      throw Object.assign(error as object, {
        body: isObject(body) ? withoutRecords(body) : undefined,
      })
    },
  )
  const list = listIn(body)
  if (!list) throw wrongShape(core, route, intent, 'a list')
  return list.filter(isObject).map((one) => ({
    itemId: textOf(one['itemId']),
    name: textOf(pick(one, 'name')) ?? '',
    strategy: (textOf(pick(one, 'storageStrategy')) ?? '').toLowerCase(),
  }))
}

const withoutRecords = (body: object): object =>
  Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => value === null || /err|mess|success|title|detail|status/i.test(name),
    ),
  )

/** Files. @throws RequestError, OperationError @see section 4.4 */
export function listFiles(
  core: Core,
  {
    filter,
    ...options
  }: ListOptions & { readonly filter?: Readonly<Record<string, unknown>> } = {},
): Listing<StoredFile> {
  const { projectKey } = core
  return pagesOf(
    core,
    {
      route: routes.storageListFiles,
      intent: 'list the files',
      first: 0,
      input: (request) => ({ json: { ...request, filter, projectKey } }),
      read: (record) => ({
        ...(record as contract.File),
        parentDirectoryId: textOf(pick(record, 'parentDirectoryID')),
        raw: record,
      }),
    },
    options,
  )
}

/**
 * What is said of a file that goes up, and how it goes. `timeoutMs` is for the requests to
 * the service; what the backend may take has no limit but `signal`.
 */
export interface UploadOptions extends CallOptions {
  /** A File has one. */
  readonly name?: string
  /** Media type; that of a File or Blob, else `application/octet-stream`. */
  readonly type?: string
  /** Bytes of a stream, where that is known. */
  readonly size?: number
  /** The project's first configuration by default; it is looked up, which costs a request. */
  readonly configurationName?: string
  /** The configuration itself, where it is known; nothing is looked up then. */
  readonly configuration?: Pick<StorageConfiguration, 'name' | 'strategy'>
  /** `Public`, or what else the instance knows. */
  readonly accessModifier?: string
  /** Folder; the topmost by default. */
  readonly parentDirectoryId?: string
  /** `{key: {type, value}}`; sent as JSON. */
  readonly metaData?: Readonly<Record<string, unknown>>
  /** Sent as JSON. */
  readonly tags?: readonly string[]
  /** Integer code, `StorageModule` of the contract. */
  readonly moduleName?: number
  /** Base64 of the MD5 of all bytes: the backend compares, and refuses what differs. */
  readonly contentMd5?: string
  /**
   * Whether the backend gets the MD5 of the bytes with them, of each part with the
   * part, and so refuses what arrives damaged, which is then sent again. False by
   * default: the bytes are read twice, and a browser's backend has to allow the header
   * `Content-MD5`. Of a stream that goes in one piece the MD5 is known at its end only:
   * there it is compared with what the backend says to have received, if it does.
   */
  readonly checksum?: boolean
  /** Bytes of a part, where the backend takes parts; 8 MiB by default. */
  readonly partBytes?: number
  /** Called as bytes leave: in browsers, and on Node; elsewhere at the end. */
  readonly onProgress?: (progress: UploadProgress) => void
  /** Told after each part; what it is given resumes an upload that was cut. */
  readonly onState?: (state: UploadState) => void
  /** Goes on with an upload that was cut: the same bytes, and at most one part twice. */
  readonly resume?: UploadState
  /** What moves the bytes; that of the runtime by default. */
  readonly blobs?: BlobTransport
}

/** A file that is up. */
export interface Uploaded {
  /** What `download` and `getDownloadUrl` take. */
  readonly fileId: string
  /** Bytes that were sent. */
  readonly sizeBytes: number
}

/**
 * Uploads a file: asks for a signed address, and puts the bytes straight to the
 * backend, with its headers and none of ours. Large files go in parts where the
 * backend takes them (blocks of Azure, or parts of S3 where the instance signs
 * them); elsewhere a cut upload begins from zero.
 *
 * ```ts
 * const { fileId } = await upload(core, input.files[0], { onProgress, signal })
 * ```
 *
 * @throws RequestError, OperationError; `UPLOAD_FAILED` from the backend.
 * @throws ServicekitError `READ_FAILED` where the source cannot be read, or has not as many
 *   bytes as was said: the backend keeps none of it then.
 * @throws TypeError for a file without a name, or a stream without a size where one is needed.
 * @see section 4.4
 */
export async function upload(
  core: Core,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<Uploaded> {
  const { name = (source as { name?: string }).name } = options
  if (!name) throw new TypeError('name is missing: a file is stored by one')
  const type =
    options.type ?? (textOf((source as { type?: string }).type) || 'application/octet-stream')
  const state = options.resume ?? (await presign(core, name, options))
  const bytes = bytesOf(source, options.size)
  let { blobs = defaultBlobs() } = options
  if (options.checksum) blobs = (await import('./upload-checksum.ts')).withChecksums(blobs)
  const { signal, onProgress, onState } = options
  const sizeBytes = await putSigned({ state, bytes, type, blobs, signal, onProgress, onState })
  return { fileId: state.fileId, sizeBytes }
}

async function presign(core: Core, name: string, options: UploadOptions): Promise<UploadState> {
  const { signal, timeoutMs, partBytes = 8 * 2 ** 20, metaData, tags, contentMd5 } = options
  const call = { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) }
  const intent = `get an address to upload "${name}" to`
  const { configurationName: wanted } = options
  const { name: configurationName = wanted, strategy } =
    options.configuration ??
    (await listConfigurations(core, call)).find((one) => !wanted || one.name === wanted) ??
    ({} as Partial<StorageConfiguration>)
  const raw = await operate(core, routes.storagePresignUpload, {
    ...call,
    intent,
    json: {
      name,
      metaData: metaData && JSON.stringify(metaData),
      tags: tags && JSON.stringify(tags),
      parentDirectoryId: options.parentDirectoryId,
      accessModifier: options.accessModifier,
      moduleName: options.moduleName,
      projectKey: core.projectKey,
      configurationName,
    },
  })
  const signed = isObject(raw['data']) ? raw['data'] : raw
  const url = pick(signed, 'preSignedUrl', 'uploadUrl', 'url')
  const fileId = textOf(pick(signed, 'fileId', 'itemId'))
  if (!fileId || !isAddress(url))
    throw wrongShape(core, routes.storagePresignUpload, intent, 'an address and a fileId')
  const required = pick(signed, 'requiredHeaders')
  const needed = lowerCased(required)
  // Azure alone knows this header, and wants it.
  const isAzure = strategy === 'azure' || 'x-ms-blob-type' in needed
  const multipartUrl = textOf(pick(signed, 'multipartUrl'))
  const headers = {
    ...(isAzure && !required && { 'x-ms-blob-type': 'BlockBlob' }),
    ...(contentMd5 && { 'content-md5': contentMd5 }),
    ...needed,
  }
  const parts = isAzure ? 'blocks' : multipartUrl && 'addresses'
  return { fileId, url, headers, parts: parts || undefined, partBytes, sentParts: 0, multipartUrl }
}

const lowerCased = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'object' ? '' : String(value),
    ]),
  )

/** A file, and where it is kept. */
export interface FilePlace {
  /** Of `upload`, or `itemId` of a list. */
  readonly fileId: string
  /** Where it is kept; the project’s first configuration by default. */
  readonly configurationName?: string
}

/**
 * Short-lived address of a file's bytes. Whoever has it may read the file.
 *
 * @throws RequestError 404 for an unknown file.
 * @see section 4.4
 */
export async function getDownloadUrl(
  core: Core,
  { fileId, configurationName }: FilePlace,
  call: CallOptions = {},
): Promise<string> {
  const intent = 'get the address of a file'
  const route = routes.storageGetFile
  const input = {
    ...call,
    query: { FileId: fileId, ConfigurationName: configurationName },
    headers: { accept: 'application/json, text/plain;q=0.9' },
    intent,
  }
  // An address as it is, as JSON, or in an object.
  const body = await operate(core, route, input, ({ text, json }): unknown =>
    /^\s*["{]/.test(text) ? json() : text.trim(),
  )
  const inside = pick(body, 'url', 'downloadUrl', 'preSignedUrl', 'fileUrl') ?? pick(body, 'data')
  const url = [body, inside, pick(inside, 'url')].find((one) => typeof one === 'string')
  if (!isAddress(url)) throw wrongShape(core, route, intent, 'an address')
  return url
}

/** A file that is downloaded. */
export interface Download {
  /**
   * Read it or cancel it: a connection is held until then. Its errors are those of
   * {@link download}.
   */
  readonly body: ReadableStream<Uint8Array>
  /** Undefined where the backend does not tell, and for a body that is stored compressed. */
  readonly sizeBytes: number | undefined
  /** Media type; undefined where the backend does not tell. */
  readonly type: string | undefined
}

/**
 * Downloads a file as a stream, straight from the backend. A body that is stored
 * compressed (`Content-Encoding`) is decompressed.
 *
 * ```ts
 * const { body } = await download(core, { fileId })
 * await new Response(body).blob()
 * ```
 *
 * @param call `timeoutMs` is the longest wait for the service and for the first byte of the
 *   backend, 30,000 by default; the body has no limit but `signal`.
 * @throws RequestError when the service refuses; `DOWNLOAD_FAILED` when the backend does, or
 *   the stream breaks.
 * @see section 4.4
 */
export async function download(
  core: Core,
  place: FilePlace,
  {
    blobs = defaultBlobs(),
    start = 0,
    ...call
  }: CallOptions & {
    readonly blobs?: BlobTransport
    /** Byte to begin with; 0 by default. */
    readonly start?: number
  } = {},
): Promise<Download> {
  const url = await getDownloadUrl(core, place, call)
  const { signal, timeoutMs = 30_000 } = call
  const failure = (found: object): Error =>
    blobFailure({ code: 'DOWNLOAD_FAILED', url, signal, ...found })
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), timeoutMs)
  const range: Record<string, string> = start > 0 ? { range: `bytes=${start}-` } : {}
  const { status, headers, body } = await blobs
    .get({
      url,
      headers: range,
      signal: AbortSignal.any([late.signal, ...(signal ? [signal] : [])]),
    })
    .catch((cause: unknown) => {
      throw failure({ cause })
    })
    .finally(() => clearTimeout(timer))
  if (status !== (start > 0 ? 206 : 200) || !body) {
    // Nobody waits for the rest of it.
    void body?.cancel().catch(() => undefined)
    throw failure({ status })
  }
  const size = Number((!headers['content-encoding'] && headers['content-length']) || Number.NaN)
  return {
    body: failingWith(body, (cause) => failure({ cause })),
    sizeBytes: size >= 0 ? size : undefined,
    type: textOf(headers['content-type']),
  }
}

/** The same stream, whose errors are ours. */
function failingWith(
  body: ReadableStream<Uint8Array>,
  failure: (cause: unknown) => Error,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((cause: unknown) => {
          throw failure(cause)
        })
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => reader.cancel().catch(() => undefined),
    },
    { highWaterMark: 0 },
  )
}
