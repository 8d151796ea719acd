import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Dispatcher, request as undiciRequest } from 'undici'
import { type BlobBody, type BlobTransport, maxAnswerBytes } from './blobs.ts'
import { decoded } from './decode.ts'
import { readBytes } from './read-bytes.ts'

/** Moves bytes by `undici.request`: streamed both ways, never held as a whole. */
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
        text: new TextDecoder().decode(
          await readBytes(response.body.on('error', ignore), maxAnswerBytes),
        ),
      }
    },
    get: async ({ url, headers, signal }) => {
      const response = await undiciRequest(url, { ...through, headers, signal })
      const received = plain(response.headers)
      // Like fetch, it leaves an unknown encoding to the caller.
      const source = decoded(response.body, received['content-encoding'] ?? '') ?? response.body
      return { status: response.statusCode, headers: received, body: webStream(source) }
    },
  }
}

const ignore = (): void => undefined

/**
 * Turns a Node stream into a web stream. `Readable.toWeb` ends the process with
 * `ERR_INVALID_STATE` when the stream is cancelled while bytes arrive
 * (https://github.com/nodejs/node/issues/64529).
 */
function webStream(source: Readable): ReadableStream<Uint8Array> {
  // Without a listener, a connection that breaks before anybody reads ends the process.
  source.on('error', ignore)
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void source.destroy(),
    },
    { highWaterMark: 0 },
  )
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
