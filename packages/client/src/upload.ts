import type { BlobTransport } from './blobs.ts'
import { blobFailure } from './blob-failure.ts'
import type { Core } from './core.ts'
import type { RequestError } from './errors.ts'
import { nonEmptyString } from './operate.ts'
import { type PresignOptions, presignUpload } from './presign-upload.ts'
import {
  cancelSigned,
  putSigned,
  type SignedUpload,
  type UploadProgress,
  type UploadState,
} from './signed-upload.ts'
import { bytesOf, type UploadSource } from './upload-source.ts'
import { defaultBlobs } from '#network'

/**
 * Options of {@link upload}. `timeoutMs` applies to requests to the service; the transfer
 * to the backend is limited only by `signal`.
 */
export interface UploadOptions extends PresignOptions {
  /** File name; default for a File: its own name. */
  readonly name?: string
  /** Media type. Default: that of the File or Blob, else `application/octet-stream`. */
  readonly type?: string
  /** Size of a stream in bytes, if known. */
  readonly size?: number
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
 * without any headers of the client. If the backend refuses the URL (401 or 403), because it
 * expired, it requests a new one. At most `maxTransfers` uploads run at once. Large files are sent in
 * parts if the backend supports it (Azure blocks, or S3 parts if the instance signs them);
 * otherwise an interrupted upload starts from zero.
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
    options.type ??
    (nonEmptyString((source as { type?: string }).type) || 'application/octet-stream')
  const bytes = bytesOf(source, options.size)
  const { signal = new AbortController().signal, blobs = defaultBlobs(), onProgress } = options
  const sign = (): Promise<UploadState> => presignUpload(core, name, options)
  let hasTurn = false
  const work = core.limitTransfers({ signal }, async () => {
    hasTurn = true
    const state = options.resume ?? (await sign())
    return sendSigned({ state, bytes, type, blobs, signal, onProgress }, sign, options.onState)
  })
  return work.catch((cause: unknown) => {
    throw hasTurn ? cause : blobFailure({ code: 'UPLOAD_FAILED', url: '', cause, signal })
  })
}

/** Codes of S3 and Azure: the credentials have expired; the parts were deleted. */
const expiredCodes = new Set<unknown>(['ExpiredToken', 'NoSuchUpload', 'InvalidBlockList'])

/**
 * Sends the bytes to the signed URL. Signs again when the storage refuses the URL, because it
 * expired, or has deleted the parts of an upload that rested for days: once, and once more after
 * each part that was sent since. The new URL may be that of another file, which is then sent from
 * its beginning.
 */
async function sendSigned(
  upload: Omit<SignedUpload, 'onState'>,
  sign: () => Promise<UploadState>,
  onState: UploadOptions['onState'],
): Promise<Uploaded> {
  let { state } = upload
  let mostParts = state.sentParts
  /** Number of parts at the last refusal. */
  let refusedAt = -1
  const note = (now: UploadState): void => {
    state = now
    mostParts = Math.max(mostParts, now.sentParts)
    onState?.(now)
  }
  const current = (): SignedUpload => ({ ...upload, state, onState: note })
  for (;;) {
    try {
      const sizeBytes = await putSigned(current())
      return { fileId: state.fileId, sizeBytes }
    } catch (error) {
      const { status, details } = error as Partial<RequestError>
      // OpenStack Swift responds with 401, the others with 403.
      const isUrlExpired = status === 401 || status === 403
      const isExpired = isUrlExpired || expiredCodes.has(details?.['message'])
      if (!isExpired || refusedAt === mostParts || !upload.bytes.isRepeatable) {
        // The caller may resume it.
        if (!onState) await cancelSigned(current())
        throw error
      }
      refusedAt = mostParts
      await cancelSigned(current())
      const signed = await sign()
      // The URL expired, and not the parts.
      const hasParts = isUrlExpired && signed.fileId === state.fileId && signed.parts !== 'urls'
      const { partBytes, sentParts } = state
      state = { ...signed, partBytes, sentParts: hasParts ? sentParts : 0 }
    }
  }
}
