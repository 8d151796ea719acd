import { type Duplex, pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Dispatcher, request as undiciRequest } from 'undici'
import { BodyTooLargeError, type Transport, type TransportResponse } from './transport.ts'

/**
 * Transport over `undici.request`, the fastest client that Node has. Connections
 * are kept alive; gzip, deflate and brotli are decoded here, within `maxBytes`.
 *
 * @param dispatcher undici's global one by default; pass an `Agent` for a proxy
 *   or other connection limits.
 */
export function undiciTransport(dispatcher?: Dispatcher): Transport {
  return {
    async send({ method, url, headers, body, signal, maxBytes }): Promise<TransportResponse> {
      const response = await undiciRequest(url, {
        method: method as Dispatcher.HttpMethod,
        headers: { 'accept-encoding': 'gzip, br', ...headers },
        signal,
        ...(body === undefined ? {} : { body }),
        ...(dispatcher === undefined ? {} : { dispatcher }),
      })
      const plain = plainHeaders(response.headers)
      const setCookie = response.headers['set-cookie']
      const source = decoded(response.body, plain['content-encoding'])
      return {
        status: response.statusCode,
        headers: plain,
        ...(setCookie !== undefined && { setCookie: [setCookie].flat() }),
        // A 304 or an empty answer may well say how it would have been encoded.
        text: await readText(source, maxBytes).catch((cause: unknown) => {
          if (isEmpty(cause, source)) return ''
          throw cause
        }),
      }
    },
  }
}

async function readText(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.byteLength
    // Leaving the loop destroys the stream, and with it the connection.
    if (bytes > maxBytes) throw new BodyTooLargeError()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** A decoder that ends without ever having had something to decode: nothing was sent. */
const isEmpty = (cause: unknown, source: Readable): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  cause.code === 'Z_BUF_ERROR' &&
  'bytesWritten' in source &&
  source.bytesWritten === 0

/**
 * The body without its encodings. A pipeline ends as a whole: a decoder that
 * fails, or that nobody reads any more, takes the connection with it.
 */
function decoded(body: Readable, encodings = ''): Readable {
  const names = encodings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  const unknown = names.find((name) => !Object.hasOwn(decoders, name))
  if (unknown !== undefined) {
    body.on('error', () => undefined).destroy()
    throw new Error(`the answer is encoded as "${unknown}", which was not asked for`)
  }
  // An error of the pipeline arrives where its end is read.
  return names
    .reverse()
    .reduce((source, name) => pipeline(source, decoders[name]!(), () => undefined), body)
}

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function plainHeaders(headers: Record<string, string | string[] | undefined>) {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}

/** The transport that a client uses when it is given none. */
export const defaultTransport = (): Transport => undiciTransport()

/** Servers may send any header. */
export const sendsRequestIds = true
