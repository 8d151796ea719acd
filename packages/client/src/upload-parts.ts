import type { MultipartState, Put, SignedUpload } from './signed-upload.ts'

/*
 * Loaded when there is a large file to upload. It imports nothing but types, so that
 * no bundler makes a third file of what it would have in common with the rest.
 */

/** What this file needs of the rest. */
export interface PartTools {
  readonly put: Put
  readonly wrongShape: (expected: string) => Error
  readonly isAddress: (value: unknown) => value is string
}

/** Blocks of an Azure blob: each is put by itself, the list of them makes the file. */
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
    onState?.({ ...upload.state, sentParts: sent })
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
      // Kept for who reads the file: of the whole it is checked by nobody.
      ...(md5 && { 'x-ms-blob-content-md5': md5 }),
    },
    body: () => body,
    size: body.byteLength,
    before: undefined,
    isRepeatable: true,
  })
  return before
}

/** Where an upload goes on. @throws TypeError where what is resumed is of another file. */
function startOf({ bytes: { size = Infinity }, state }: SignedUpload): number {
  const { sentParts, partBytes } = state
  if (sentParts > Math.ceil(size / partBytes)) throw new TypeError('resume is of a larger file')
  // The last part may be a short one.
  return Math.min(sentParts * partBytes, size)
}

/** All of one length, as Azure wants it. */
const blockId = (index: number): string => encodeURIComponent(btoa(String(index).padStart(6, '0')))

/**
 * Parts that are put to an address each, which the instance signs (S3's multipart
 * upload): `{parts: 3, contentType}` begins it, the ETags of the parts end it. One that fails
 * is called off, unless somebody was told of its state and may resume it.
 */
export async function putAtAddresses(upload: SignedUpload, tools: PartTools): Promise<number> {
  const { bytes, state, type, onState } = upload
  const { partBytes, multipartUrl: url } = state
  const { size } = bytes
  if (size === undefined) throw new TypeError('size is missing: this backend has to be told it')
  if (url === undefined) throw new TypeError('resume lacks its multipartUrl')
  const { put, wrongShape, isAddress } = tools
  const ask = (body: object) => post(tools, upload, url, body)
  const count = Math.ceil(size / partBytes)
  const begun = state.multipart ?? readBegun(await ask({ parts: count, contentType: type }))
  const isBegun = begun.uploadId && begun.urls.length === count && begun.urls.every(isAddress)
  if (!state.multipart && !isBegun) throw wrongShape(`an uploadId and ${count} addresses`)
  const { uploadId, urls } = begun
  const etags = [...begun.etags]
  let before = startOf(upload)
  try {
    for await (const part of partsOf(bytes.open(before), partBytes)) {
      const { headers } = await put(upload, {
        url: urls[etags.length]!,
        headers: {},
        body: () => part,
        size: part.byteLength,
        before,
        isRepeatable: true,
      })
      before += part.byteLength
      etags.push(headers['etag'] ?? '')
      const multipart = { uploadId, urls, etags: [...etags] }
      onState?.({ ...state, multipart, sentParts: etags.length })
    }
    await ask({ uploadId, parts: etags.map((etag, index) => ({ part: index + 1, etag })) })
    return before
  } catch (error) {
    const { signal: _, ...rest } = upload
    const off = { uploadId, abort: true }
    if (!onState) await post(tools, { ...rest, signal: undefined }, url, off).catch(() => undefined)
    throw error
  }
}

async function post(
  { put, wrongShape }: PartTools,
  upload: SignedUpload,
  url: string,
  json: object,
): Promise<unknown> {
  const body = new TextEncoder().encode(JSON.stringify(json))
  const { text } = await put(upload, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: () => body,
    size: body.byteLength,
    before: undefined,
    // A second beginning would be thrown away; a second end finds nothing to end.
    isRepeatable: 'abort' in json,
  })
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    // The text may contain signed addresses, and so may the message of the cause.
    throw wrongShape('JSON')
  }
}

function readBegun(answer: unknown): MultipartState {
  const { uploadId, parts } = (answer ?? {}) as { uploadId?: unknown; parts?: unknown }
  const list: unknown[] = Array.isArray(parts) ? parts : []
  return {
    uploadId: typeof uploadId === 'string' ? uploadId : '',
    urls: list.map((part) => (part as { url?: string } | null)?.url ?? ''),
    etags: [],
  }
}

/**
 * Pieces of exactly `partBytes`, the last one shorter, all in the same memory: a piece is
 * sent before the next one is asked for.
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
