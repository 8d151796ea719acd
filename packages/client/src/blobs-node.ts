import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { type BlobBody, type BlobTransport, maxResponseBytes } from './blobs.ts'
import { decodeBody } from './decode-body.ts'
import { readBytes } from './read-bytes.ts'

/**
 * Transfers bytes with node:http, streamed both ways and never buffered as a whole. undici
 * 7 crashes the process when a storage closes a connection whose body is read slowly
 * (https://github.com/nodejs/undici/issues/5360).
 */
export function nodeBlobs(): BlobTransport {
  return {
    put: async ({ method = 'PUT', url, headers, body, size, signal, onProgress }) => {
      const length = size === undefined ? {} : { 'content-length': String(size) }
      const options = { method, headers: { ...headers, ...length }, signal }
      // The connection pulls from the iterable, so memory use stays flat.
      const source = Readable.from(counted(body, onProgress), { objectMode: false })
      const response = await send(url, options, source)
      return {
        status: response.statusCode!,
        headers: plain(response.headers),
        text: new TextDecoder().decode(await readBytes(response, maxResponseBytes)),
      }
    },
    get: async ({ url, headers, signal }) => {
      const response = await send(url, { method: 'GET', headers, signal })
      const received = plain(response.headers)
      // Like fetch, leave an unknown encoding to the caller.
      const source = decodeBody(response, received['content-encoding'] ?? '') ?? response
      return { status: response.statusCode!, headers: received, body: webStream(source) }
    },
  }
}

interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal | undefined
}

/** Resolves with the response as soon as the headers have arrived. */
const send = (
  url: string,
  { signal, ...options }: Sent,
  body?: Readable,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const { request } = /^https:/i.test(url) ? https : http
    const fail = (error: Error | null | undefined): void => {
      if (error) reject(signal?.aborted ? (signal.reason as Error) : error)
    }
    const sent = request(url, { ...options, ...(signal && { signal }) }, (response) => {
      resolve(response.on('error', ignore))
    })
    sent.on('error', fail)
    if (!body) return void sent.end()
    pipeline(body, sent, fail)
  })

const ignore = (): void => undefined

/**
 * Converts a Node stream to a web stream. `Readable.toWeb` crashes the process with
 * `ERR_INVALID_STATE` when the stream is cancelled while bytes arrive
 * (https://github.com/nodejs/node/issues/64529).
 */
function webStream(source: Readable): ReadableStream<Uint8Array> {
  // Without a listener, a connection that breaks before the first read crashes the process.
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
    // Resuming after `yield` means that the chunk was consumed.
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
