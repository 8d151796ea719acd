import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Transform } from 'node:stream'
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
      const decoder = decoderFor(plain['content-encoding'])
      const source = decoder ? response.body.pipe(decoder) : response.body
      if (decoder) response.body.on('error', (error) => decoder.destroy(error))
      return {
        status: response.statusCode,
        headers: plain,
        text: await readText(source, maxBytes),
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

function decoderFor(encoding: string | undefined): Transform | undefined {
  if (encoding === 'gzip') return createGunzip()
  if (encoding === 'deflate') return createInflate()
  if (encoding === 'br') {
    return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })
  }
  return undefined
}

function plainHeaders(headers: Record<string, string | string[] | undefined>) {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return plain
}

/** The transport that a client uses when it is given none. */
export const defaultTransport: () => Transport = undiciTransport
