import { isObject, printJson } from '@servicekit/core'
import type { storage as contract } from '@servicekit/contract'
import * as routes from '@servicekit/contract/routes'
import { isHttpUrl } from './is-http-url.ts'
import { blobFailure } from './blob-failure.ts'
import type { BlobTransport } from './blobs.ts'
import type { CallOptions, Core } from './core.ts'
import type { RequestError } from './errors.ts'
import { listing, type Listing, type ListOptions } from './listing.ts'
import { parseBody } from './parse-body.ts'
import { type Known, listIn, operate, pick, textOf, wrongShape } from './operate.ts'
import { type Download, getSigned } from './signed-download.ts'
import {
  cancelSigned,
  putSigned,
  type SignedUpload,
  type UploadProgress,
  type UploadState,
} from './signed-upload.ts'
import { bytesOf, type UploadSource } from './upload-source.ts'
import { defaultBlobs } from '#blobs'

export type { BlobBody, BlobTransport, GetRequest, PutRequest } from './blobs.ts'
export type { Download } from './signed-download.ts'
export type { UploadProgress, UploadState } from './signed-upload.ts'
export type { ReopenableSource, UploadSource } from './upload-source.ts'

/** File (section 2.11: the interface does not define its fields). */
export type StoredFile = Omit<Known<contract.File>, 'parentDirectoryID'> & {
  readonly parentDirectoryId: string | undefined
  /** Record as received. */
  readonly raw: unknown
}

/**
 * Storage configuration. Other members of the response are dropped and there is no `raw`,
 * because some instances return credentials in it.
 */
export interface StorageConfiguration {
  /** Id; undefined if the instance does not return it. */
  readonly itemId: string | undefined
  /** Name, used as `configurationName` in other operations. */
  readonly name: string
  /** Storage strategy in lower case: `azure`, `amazon`, `s3compatible`, `sftpstorage`. */
  readonly strategy: string
}

/**
 * Lists the storage configurations of the project.
 *
 * @throws RequestError, OperationError
 * @see section 4.4
 */
export async function listConfigurations(
  core: Core,
  call: CallOptions = {},
): Promise<readonly StorageConfiguration[]> {
  const intent = 'list the storage configurations'
  const route = routes.storageListConfigurations
  const input = { ...call, intent }
  const body = await operate(core, route, input, ({ text }) => parseBody(text)).catch(
    (error: unknown) => {
      // Some instances return credentials, which no error may contain.
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

/**
 * Lists files.
 *
 * @throws RequestError, OperationError
 * @see section 4.4
 */
export function listFiles(
  core: Core,
  {
    filter,
    ...options
  }: ListOptions & { readonly filter?: Readonly<Record<string, unknown>> } = {},
): Listing<StoredFile> {
  const { projectKey } = core
  return listing(
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
 * Options of {@link upload}. `timeoutMs` applies to requests to the service; the transfer
 * to the backend is limited only by `signal`.
 */
export interface UploadOptions extends CallOptions {
  /** File name; default for a File: its own name. */
  readonly name?: string
  /** Media type. Default: that of the File or Blob, else `application/octet-stream`. */
  readonly type?: string
  /** Size of a stream in bytes, if known. */
  readonly size?: number
  /**
   * Storage configuration. Default: the first of the project. It is looked up with one
   * extra request.
   */
  readonly configurationName?: string
  /** Storage configuration object, to skip the lookup. */
  readonly configuration?: Pick<StorageConfiguration, 'name' | 'strategy'>
  /** `Public`, or another value that the instance supports. */
  readonly accessModifier?: string
  /** Id of the folder. Default: the root folder. */
  readonly parentDirectoryId?: string
  /** Metadata as `{key: {type, value}}`, sent as JSON. */
  readonly metaData?: Readonly<Record<string, unknown>>
  /** Tags, sent as JSON. */
  readonly tags?: readonly string[]
  /** Integer code: `StorageModule` of the contract. */
  readonly moduleName?: number
  /**
   * MD5 of all bytes, in base64. The backend rejects an upload in one piece with another
   * checksum; Azure stores that of a file in parts without verifying it.
   */
  readonly contentMd5?: string
  /** Size of a part in bytes, if the backend supports parts. Default: 8 MiB. */
  readonly partBytes?: number
  /** Called as bytes are sent, in browsers and on Node; on other runtimes once at the end. */
  readonly onProgress?: (progress: UploadProgress) => void
  /**
   * Called after each part, and after the start of an upload with a URL per part, with the
   * state to pass as `resume` after an interruption.
   */
  readonly onState?: (state: UploadState) => void
  /**
   * State of an interrupted upload to continue. Pass the same bytes; at most one part is
   * sent twice, unless the URL has expired and the new one is that of another file.
   */
  readonly resume?: UploadState
  /** Transfers the bytes. Default: the transport of the runtime. */
  readonly blobs?: BlobTransport
}

/** Uploaded file. */
export interface Uploaded {
  /** File id for `download` and `getDownloadUrl`. */
  readonly fileId: string
  /** Number of bytes sent. */
  readonly sizeBytes: number
}

/**
 * Uploads a file. It requests a signed URL and sends the bytes directly to the backend,
 * without any headers of the client, and a new URL when the backend refuses it (403), because
 * it expired. At most `maxTransfers` uploads run at once. Large files are sent in parts if the backend supports
 * it (Azure blocks, or S3 parts if the instance signs them); otherwise an interrupted
 * upload starts from zero.
 *
 * ```ts
 * const { fileId } = await upload(core, input.files[0], { onProgress, signal })
 * ```
 *
 * @throws RequestError, OperationError; `UPLOAD_FAILED` from the backend.
 * @throws ServicekitError `READ_FAILED` if the source cannot be read or does not have the
 *   declared size; the backend then keeps nothing of it.
 * @throws TypeError for a file without a name, or a stream without a size if one is
 *   required.
 * @see section 4.4
 */
export async function upload(
  core: Core,
  source: UploadSource,
  options: UploadOptions = {},
): Promise<Uploaded> {
  const { name = (source as { name?: string }).name } = options
  if (!name) throw new TypeError('name is required for this source')
  const type =
    options.type ?? (textOf((source as { type?: string }).type) || 'application/octet-stream')
  const bytes = bytesOf(source, options.size)
  const { blobs = defaultBlobs(), signal, onProgress, resume } = options
  const sign = (): Promise<UploadState> => presign(core, name, options)
  const turn = { signal: signal ?? new AbortController().signal }
  let hasTurn = false
  const work = core.limitTransfers(turn, async () => {
    hasTurn = true
    const state = resume ?? (await sign())
    return sendSigned({ state, bytes, type, blobs, signal, onProgress }, sign, options.onState)
  })
  return work.catch((cause: unknown) => {
    throw hasTurn ? cause : blobFailure({ code: 'UPLOAD_FAILED', url: '', cause, signal })
  })
}

/**
 * Sends the bytes to the signed URL, and signs again when the storage refuses it, because it
 * expired: once, and once more after each part that was sent since. The new URL may be that
 * of another file, which is then sent from its beginning.
 */
async function sendSigned(
  upload: Omit<SignedUpload, 'onState'>,
  sign: () => Promise<UploadState>,
  onState: UploadOptions['onState'],
): Promise<Uploaded> {
  let { state } = upload
  let mostParts = state.sentParts
  let isRefused = false
  const note = (now: UploadState): void => {
    state = now
    if (now.sentParts > mostParts) {
      mostParts = now.sentParts
      isRefused = false
    }
    onState?.(now)
  }
  const current = (): SignedUpload => ({ ...upload, state, onState: note })
  for (;;) {
    try {
      const sizeBytes = await putSigned(current())
      return { fileId: state.fileId, sizeBytes }
    } catch (error) {
      const isExpired = (error as Partial<RequestError>).status === 403 && !isRefused
      if (!isExpired || !upload.bytes.isRepeatable) {
        // The caller may resume it.
        if (!onState) await cancelSigned(current())
        throw error
      }
      isRefused = true
      await cancelSigned(current())
      const signed = await sign()
      const isSameFile = signed.fileId === state.fileId && signed.parts !== 'urls'
      const { partBytes } = state
      state = { ...signed, partBytes, sentParts: isSameFile ? state.sentParts : 0 }
    }
  }
}

async function presign(core: Core, name: string, options: UploadOptions): Promise<UploadState> {
  const { signal, timeoutMs, partBytes = 8 * 2 ** 20, metaData, tags, contentMd5 } = options
  const call = { ...(signal && { signal }), ...(timeoutMs !== undefined && { timeoutMs }) }
  const intent = `get a URL to upload "${name}" to`
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
      metaData: metaData && printJson(metaData),
      tags: tags && printJson(tags),
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
  if (!fileId || !isHttpUrl(url))
    throw wrongShape(core, routes.storagePresignUpload, intent, 'a URL and a fileId')
  const required = pick(signed, 'requiredHeaders')
  const needed = lowerCased(required)
  // Only Azure knows this header, and it requires it.
  const isAzure = strategy === 'azure' || 'x-ms-blob-type' in needed
  const multipartUrl = textOf(pick(signed, 'multipartUrl'))
  const headers = {
    ...(isAzure && !required && { 'x-ms-blob-type': 'BlockBlob' }),
    ...(contentMd5 && { 'content-md5': contentMd5 }),
    ...needed,
  }
  const parts = isAzure ? 'blocks' : multipartUrl && 'urls'
  return { fileId, url, headers, parts: parts || undefined, partBytes, sentParts: 0, multipartUrl }
}

const lowerCased = (headers: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isObject(headers) ? headers : {}).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'object' ? '' : String(value),
    ]),
  )

/** File id and storage configuration. */
export interface FileReference {
  /** Id from `upload`, or `itemId` from a list. */
  readonly fileId: string
  /** Storage configuration. Default: the first of the project. */
  readonly configurationName?: string
}

/**
 * Returns a short-lived URL of a file. Anyone who has it can read the file.
 *
 * @throws RequestError 404 for an unknown file.
 * @see section 4.4
 */
export async function getDownloadUrl(
  core: Core,
  { fileId, configurationName }: FileReference,
  call: CallOptions = {},
): Promise<string> {
  const intent = 'get the URL of a file'
  const route = routes.storageGetFile
  const input = {
    ...call,
    query: { FileId: fileId, ConfigurationName: configurationName },
    headers: { accept: 'application/json, text/plain;q=0.9' },
    intent,
  }
  // The URL is returned as plain text, as a JSON string or in an object.
  const body = await operate(core, route, input, ({ text, json }): unknown =>
    /^\s*["{]/.test(text) ? json() : text.trim(),
  )
  const inside = pick(body, 'url', 'downloadUrl', 'preSignedUrl', 'fileUrl') ?? pick(body, 'data')
  const url = [body, inside, pick(inside, 'url')].find((one) => typeof one === 'string')
  if (!isHttpUrl(url)) throw wrongShape(core, route, intent, 'a URL')
  return url
}

/**
 * Downloads a file as a stream, directly from the backend. A body that is stored compressed
 * (`Content-Encoding`) is decompressed.
 *
 * ```ts
 * const { body } = await download(core, { fileId })
 * await new Response(body).blob()
 * ```
 *
 * @param call `timeoutMs` limits the wait for the service and for the first byte from the
 *   backend, in milliseconds. Default: 30,000. The body is limited only by `signal`.
 * @throws RequestError if the service refuses; `DOWNLOAD_FAILED` if the backend refuses or
 *   the stream breaks.
 * @see section 4.4
 */
export async function download(
  core: Core,
  file: FileReference,
  {
    blobs = defaultBlobs(),
    start = 0,
    ...call
  }: CallOptions & {
    readonly blobs?: BlobTransport
    /** First byte to read. Default: 0. */
    readonly start?: number
  } = {},
): Promise<Download> {
  const { signal, timeoutMs = 30_000 } = call
  const open = async (): Promise<Download> => {
    const url = await getDownloadUrl(core, file, call)
    return getSigned({ url, start, blobs, signal, timeoutMs })
  }
  return open().catch((error: RequestError) => {
    // The URL may have expired before it was the turn of the request.
    if (error.code !== 'DOWNLOAD_FAILED' || error.status !== 403) throw error
    return open()
  })
}
