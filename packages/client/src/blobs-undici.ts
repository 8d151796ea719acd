import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { type Dispatcher, request as undiciRequest } from 'undici'
import type { BlobBody, BlobTransport } from './blobs.ts'

/** Bytes over `undici.request`: streamed both ways, never held as a whole. */
export function undiciBlobs(dispatcher?: Dispatcher): BlobTransport {
  const through = dispatcher === undefined ? {} : { dispatcher }
  return {
    startMd5: () => {
      const hash = createHash('md5')
      return { update: (bytes) => hash.update(bytes), digest: () => hash.digest('base64') }
    },
    put: async ({ method = 'PUT', url, headers, body, size, signal, onProgress }) => {
      const response = await undiciRequest(url, {
        ...through,
        method,
        headers: { ...headers, ...(size === undefined ? {} : { 'content-length': String(size) }) },
        // An iterable is pulled as the connection takes it, so memory stays flat.
        body: Readable.from(counted(body, onProgress), { objectMode: false }),
        signal,
      })
      return {
        status: response.statusCode,
        headers: plain(response.headers),
        text: await response.body.text(),
      }
    },
    get: async ({ url, headers, signal }) => {
      const response = await undiciRequest(url, { ...through, headers, signal })
      return {
        status: response.statusCode,
        headers: plain(response.headers),
        body: Readable.toWeb(response.body) as NodeStream as ReadableStream<Uint8Array>,
      }
    },
  }
}

async function* counted(body: BlobBody, onProgress: (sent: number) => void) {
  let sent = 0
  for await (const chunk of chunksOf(body)) {
    yield chunk
    // Here again means that the chunk was taken.
    sent += chunk.byteLength
    onProgress(sent)
  }
}

const pieceBytes = 64 * 1024

async function* chunksOf(body: BlobBody): AsyncGenerator<Uint8Array> {
  if (!(body instanceof Uint8Array)) {
    yield* (body instanceof Blob ? body.stream() : body) as AsyncIterable<Uint8Array>
    return
  }
  for (let at = 0; at < body.byteLength; at += pieceBytes) yield body.subarray(at, at + pieceBytes)
}

const plain = (headers: Readonly<Record<string, string | string[] | undefined>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** The transport that uploads and downloads use when they are given none. */
export const defaultBlobs = (): BlobTransport => undiciBlobs()
