import type { BlobBody, BlobTransport } from './blobs.ts'
import { RequestError } from './errors.ts'
import { defaultRetry, mayRetry, retryDelayMs } from './retry.ts'
import { sleep } from './sleep.ts'
import { type Bytes, partsOf } from './upload-source.ts'

/** A signed address, and how far an upload to it is. As JSON it can be kept and resumed. */
export interface UploadState {
  readonly fileId: string
  /** Whoever has it may write the file: treat it as a secret. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether the backend takes parts: Azure does. */
  readonly inParts: boolean
  readonly partBytes: number
  /** Parts that the backend has. */
  readonly sentParts: number
}

export interface SignedUpload {
  readonly state: UploadState
  readonly bytes: Bytes
  readonly type: string
  readonly blobs: BlobTransport
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: UploadProgress) => void) | undefined
  /** Told after each part. */
  readonly onState: ((state: UploadState) => void) | undefined
}

export interface UploadProgress {
  readonly sentBytes: number
  /** Undefined for a stream whose length nobody gave. */
  readonly totalBytes: number | undefined
}

/**
 * Puts the bytes to the signed address, with the headers that the backend needs
 * and none of ours. Answers how many there were.
 *
 * @throws RequestError `UPLOAD_FAILED`, or `REQUEST_ABORTED`.
 */
export async function putSigned(upload: SignedUpload): Promise<number> {
  const { state, bytes } = upload
  const isLarge = bytes.size === undefined || bytes.size > state.partBytes
  return state.inParts && (isLarge || state.sentParts > 0) ? putParts(upload) : putWhole(upload)
}

async function putWhole(upload: SignedUpload): Promise<number> {
  const { state, bytes, type } = upload
  const { size, whole, isRepeatable } = bytes
  if (size === undefined) throw new TypeError('size is missing: this backend has to be told it')
  const headers = { 'content-type': type, ...state.headers }
  const body = (): BlobBody => whole ?? bytes.open(0)
  await put(upload, { url: state.url, headers, body, size, before: 0, isRepeatable })
  return size
}

/** Blocks of an Azure blob: each is put by itself, the list of them makes the file. */
async function putParts(upload: SignedUpload): Promise<number> {
  const { bytes, type, onState } = upload
  const { url, partBytes, sentParts } = upload.state
  let before = sentParts * partBytes
  let sent = sentParts
  for await (const part of partsOf(bytes.open(before), partBytes)) {
    await put(upload, {
      url: `${url}&comp=block&blockid=${blockId(sent)}`,
      headers: {},
      body: () => part,
      size: part.byteLength,
      before,
      isRepeatable: true,
    })
    before += part.byteLength
    sent++
    onState?.({ ...upload.state, sentParts: sent })
  }
  const ids = Array.from({ length: sent }, (_, index) => blockId(index))
  const list = ids.map((id) => `<Latest>${decodeURIComponent(id)}</Latest>`).join('')
  const xml = `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`
  const body = new TextEncoder().encode(xml)
  await put(upload, {
    url: `${url}&comp=blocklist`,
    headers: { 'content-type': 'application/xml', 'x-ms-blob-content-type': type },
    body: () => body,
    size: body.byteLength,
    before: undefined,
    isRepeatable: true,
  })
  return before
}

/** All of one length, as Azure wants it. */
const blockId = (index: number): string => encodeURIComponent(btoa(String(index).padStart(6, '0')))

interface Put {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: () => BlobBody
  readonly size: number
  /** Bytes that were there before these; undefined where these are not the file's. */
  readonly before: number | undefined
  readonly isRepeatable: boolean
}

/** One PUT, repeated where its body can be. The same bytes at the same place do no harm. */
async function put(upload: SignedUpload, request: Put): Promise<void> {
  const { blobs, signal, onProgress, bytes } = upload
  const { url, headers, size, before, isRepeatable } = request
  for (let attempt = 1; ; attempt++) {
    let cause: unknown
    let status: number | undefined
    let said: string | undefined
    try {
      signal?.throwIfAborted()
      const answer = await blobs.put({
        url,
        headers,
        body: request.body(),
        size,
        signal,
        onProgress: (sent) => {
          if (before === undefined) return
          onProgress?.({ sentBytes: before + sent, totalBytes: bytes.size })
        },
      })
      if (answer.status >= 200 && answer.status < 300) return
      status = answer.status
      said = /<Code>(\w+)<\/Code>/.exec(answer.text)?.[1]
    } catch (error) {
      cause = error
    }
    const failure =
      status === undefined
        ? ({ kind: 'network', sent: true } as const)
        : ({ kind: 'status', status } as const)
    const isLast = attempt >= defaultRetry.attempts || !isRepeatable
    if (signal?.aborted || isLast || !mayRetry('replace', failure)) {
      // Neither the address nor the cause of a status: the signature is in both.
      throw failed({ status, said, cause, isAborted: signal?.aborted === true, host: hostOf(url) })
    }
    const input = { attempt, askedMs: undefined, retry: defaultRetry, random: Math.random }
    await sleep(retryDelayMs(input), signal ?? new AbortController().signal).catch(() => undefined)
  }
}

export const hostOf = (url: string): string => new URL(url).host

export function failed(found: {
  readonly status: number | undefined
  readonly said: string | undefined
  readonly cause: unknown
  readonly isAborted: boolean
  readonly host: string
}): RequestError {
  const { status, said, cause, isAborted, host } = found
  const reason = isAborted
    ? 'it was aborted'
    : status === undefined
      ? 'the connection failed'
      : `the storage answered ${status}`
  return new RequestError(`Could not move the bytes of the file: ${reason}`, {
    code: isAborted ? 'REQUEST_ABORTED' : 'UPLOAD_FAILED',
    ...(status === undefined ? {} : { status }),
    facts: { host, status, answer: said },
    ...(isAborted ? { cause } : {}),
  })
}
