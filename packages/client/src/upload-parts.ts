import type { MultipartState, Put, SignedUpload } from './signed-upload.ts'

/*
 * Loaded for large files. Imports only types, so that bundlers do not create a third chunk
 * of shared modules.
 */

/** Dependencies passed in by signed-upload.ts. */
export interface PartTools {
  readonly put: Put
  readonly wrongShape: (expected: string) => Error
  readonly isHttpUrl: (value: unknown) => value is string
}

/** Uploads to Azure: puts each block, then commits the list of blocks. */
export async function putBlocks(upload: SignedUpload, { put }: PartTools): Promise<number> {
  const { bytes, type, onState } = upload
  const { url, partBytes, sentParts, headers } = upload.state
  const md5 = headers['content-md5']
  let before = startOf(upload)
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
    onState({ ...upload.state, sentParts: sent })
  }
  const ids = Array.from({ length: sent }, (_, index) => blockId(index))
  const list = ids.map((id) => `<Latest>${decodeURIComponent(id)}</Latest>`).join('')
  const xml = `<?xml version="1.0" encoding="utf-8"?><BlockList>${list}</BlockList>`
  const body = new TextEncoder().encode(xml)
  await put(upload, {
    url: `${url}&comp=blocklist`,
    headers: {
      'content-type': 'application/xml',
      'x-ms-blob-content-type': type,
      // Stored for readers of the file; Azure does not verify the MD5 of the whole.
      ...(md5 && { 'x-ms-blob-content-md5': md5 }),
    },
    body: () => body,
    size: body.byteLength,
    before: undefined,
    isRepeatable: true,
  })
  return before
}

/**
 * Returns the byte at which an upload continues.
 *
 * @throws TypeError if the resumed upload is of another file.
 */
function startOf({ bytes: { size = Infinity }, state }: SignedUpload): number {
  const { sentParts, partBytes } = state
  if (sentParts > Math.ceil(size / partBytes))
    throw new TypeError('resume belongs to a larger file')
  // The last part may be shorter.
  return Math.min(sentParts * partBytes, size)
}

/** Returns a block id; Azure requires all ids to have the same length. */
const blockId = (index: number): string => encodeURIComponent(btoa(String(index).padStart(6, '0')))

/**
 * Uploads parts to one signed URL each (S3 multipart upload). `{parts: 3, contentType}`
 * starts it, the ETags of the parts complete it.
 */
export async function putAtUrls(upload: SignedUpload, tools: PartTools): Promise<number> {
  const { bytes, type, onState } = upload
  const { size } = bytes
  if (size === undefined) throw new TypeError('size is required: this storage needs it in advance')
  const count = Math.ceil(size / upload.state.partBytes)
  const multipart =
    upload.state.multipart ??
    readStarted(await post(tools, upload, { parts: count, contentType: type }), count, tools)
  const { uploadId, urls } = multipart
  const etags = [...multipart.etags]
  const note = (): void =>
    onState({
      ...upload.state,
      multipart: { uploadId, urls, etags: [...etags] },
      sentParts: etags.length,
    })
  note()
  let before = startOf(upload)
  for await (const part of partsOf(bytes.open(before), upload.state.partBytes)) {
    const { headers } = await tools.put(upload, {
      url: urls[etags.length]!,
      headers: {},
      body: () => part,
      size: part.byteLength,
      before,
      isRepeatable: true,
    })
    before += part.byteLength
    etags.push(headers['etag'] ?? '')
    note()
  }
  const parts = etags.map((etag, index) => ({ part: index + 1, etag }))
  await post(tools, upload, { uploadId, parts })
  return before
}

/** Cancels an upload with a URL per part. A failure leaves only parts that expire. */
export async function cancelParts(upload: SignedUpload, tools: PartTools): Promise<void> {
  const uploadId = upload.state.multipart?.uploadId
  await post(tools, upload, { uploadId, abort: true }).catch(() => undefined)
}

async function post(
  { put, wrongShape }: PartTools,
  upload: SignedUpload,
  json: object,
): Promise<unknown> {
  const { multipartUrl: url } = upload.state
  if (url === undefined) throw new TypeError('resume has no multipartUrl')
  const body = new TextEncoder().encode(JSON.stringify(json))
  const { text } = await put(upload, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: () => body,
    size: body.byteLength,
    before: undefined,
    // A repeated start would create an unused upload; a repeated completion would fail.
    isRepeatable: 'abort' in json,
  })
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    // The text, and the message of the cause, may contain signed URLs.
    throw wrongShape('JSON')
  }
}

function readStarted(
  response: unknown,
  count: number,
  { isHttpUrl, wrongShape }: PartTools,
): MultipartState {
  const { uploadId, parts } = (response ?? {}) as { uploadId?: unknown; parts?: unknown }
  const list: unknown[] = Array.isArray(parts) ? parts : []
  const urls = list.map((part) => (part as { url?: unknown } | null)?.url)
  if (typeof uploadId !== 'string' || !uploadId || urls.length !== count || !urls.every(isHttpUrl))
    throw wrongShape(`an uploadId and ${count} URLs`)
  return { uploadId, urls, etags: [] }
}

/**
 * Yields pieces of `partBytes`, the last one shorter. All use the same buffer: a piece is
 * sent before the next is read.
 */
async function* partsOf(source: AsyncIterable<Uint8Array>, partBytes: number) {
  const part = new Uint8Array(partBytes)
  let filled = 0
  for await (const chunk of source) {
    for (let at = 0; at < chunk.byteLength;) {
      const piece = chunk.subarray(at, at + partBytes - filled)
      part.set(piece, filled)
      filled += piece.byteLength
      at += piece.byteLength
      if (filled === partBytes) {
        yield part
        filled = 0
      }
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}
