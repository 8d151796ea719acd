import * as routes from '@servicekit/contract/routes'
import type { BlobTransport } from './blobs.ts'
import type { CallOptions, Core } from './core.ts'
import type { RequestError } from './errors.ts'
import { isHttpUrl } from './is-http-url.ts'
import { operate, pick, wrongShape } from './operate.ts'
import { type Download, getSigned } from './signed-download.ts'
import { defaultBlobs } from '#network'

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
    // The URL may have expired before it was the turn of the request. Google Cloud Storage, and S3
    // with temporary credentials, respond with 400, and OpenStack Swift with 401.
    const { code, status } = error
    if (code !== 'DOWNLOAD_FAILED' || (status !== 403 && status !== 401 && status !== 400))
      throw error
    return open()
  })
}
