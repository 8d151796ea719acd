import { Readable } from 'node:stream'
import { type Dispatcher, getGlobalDispatcher, util } from 'undici'
import { decodeBody } from './decode-body.ts'
import { BodyTooLargeError, type Transport, type TransportResponse } from './transport.ts'

/**
 * Creates a transport over undici, the fastest HTTP client for Node. It uses `dispatch`
 * instead of `undici.request`, which returns a stream: that costs more than all the rest if
 * the body is read as a whole. Connections are kept alive; gzip, deflate and brotli are
 * decoded within `maxBytes`.
 *
 * @param dispatcher Default: the global dispatcher of undici. Pass an `Agent` for a proxy
 *   or other connection limits.
 */
export function undiciTransport(dispatcher?: Dispatcher): Transport {
  const sendUntil: Transport['sendUntil'] = (request, onEnd) =>
    new Promise((resolve, reject) => {
      const { origin, path } = addressOf(request.url)
      const { method, body = null, maxBytes } = request
      const headers = { 'accept-encoding': 'gzip, br', ...request.headers }
      const { stop, handler } = collect(maxBytes, resolve, reject)
      let isStopped = false
      onEnd((cause) => {
        isStopped = true
        stop(cause)
      })
      if (isStopped) return
      ;(dispatcher ?? getGlobalDispatcher()).dispatch(
        { origin, path, method: method as Dispatcher.HttpMethod, headers, body },
        handler,
      )
    })
  return {
    sendUntil,
    async send({ signal, ...request }) {
      signal.throwIfAborted()
      let stopNow = (): void => undefined
      try {
        return await sendUntil(request, (stop) => {
          stopNow = () => stop(signal.reason)
          signal.addEventListener('abort', stopNow)
        })
      } finally {
        signal.removeEventListener('abort', stopNow)
      }
    },
  }
}

/** Splits a URL, without parsing it if that is sure to give the same result. */
function addressOf(url: string): { readonly origin: string; readonly path: string } {
  const [, origin, path] = /^(https?:\/\/[\w.:-]+)(\/[!"$-~]*)$/.exec(url) ?? []
  if (origin && path) return { origin, path }
  const parsed = new URL(url)
  return { origin: parsed.origin, path: parsed.pathname + parsed.search }
}

/**
 * Collects one response. This handler interface is accepted by every version of undici that
 * may be behind `getGlobalDispatcher`, including the one bundled with Node.
 */
function collect(
  maxBytes: number,
  resolve: (response: TransportResponse) => void,
  reject: (cause: unknown) => void,
): { readonly stop: (cause: unknown) => void; readonly handler: Dispatcher.DispatchHandler } {
  let status = 0
  let headers: Readonly<Record<string, string | string[]>> = {}
  let encoded: Readable | undefined
  const chunks: Buffer[] = []
  let bytes = 0
  const respond = (text: string): void => resolve(responseOf(status, headers, text))

  let abortConnection: ((cause: Error) => void) | undefined
  let failure: Error | undefined
  const stop = (cause: unknown): void => {
    if (failure) return
    failure = cause instanceof Error ? cause : new Error('aborted', { cause })
    abortConnection?.(failure)
    encoded?.destroy(failure)
    reject(cause)
  }
  const handler: Dispatcher.DispatchHandler = {
    onConnect(abort) {
      abortConnection = abort
      if (failure) abort(failure)
    },
    onHeaders(statusCode, rawHeaders) {
      // Informational responses such as 100 come before the final one.
      if (statusCode < 200) return true
      status = statusCode
      headers = util.parseHeaders(rawHeaders)
      const encoding = headers['content-encoding']
      if (encoding !== undefined) {
        encoded = new Readable({ read: () => undefined })
        decodedText(encoded, String(encoding), maxBytes).then(respond, stop)
      }
      return true
    },
    onData(chunk) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) stop(new BodyTooLargeError())
      else if (encoded) encoded.push(chunk)
      else chunks.push(chunk)
      // Never paused: when a paused connection ends, undici crashes the process with an
      // assertion (https://github.com/nodejs/undici/issues/5360). maxBytes limits what is
      // buffered here.
      return true
    },
    onComplete() {
      if (encoded) encoded.push(null)
      else respond(decodeChunks(chunks))
    },
    onError: stop,
  }
  return { stop, handler }
}

function responseOf(
  status: number,
  given: Readonly<Record<string, string | string[]>>,
  text: string,
): TransportResponse {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  const setCookie = given['set-cookie']
  return { status, headers, ...(setCookie && { setCookie: [setCookie].flat() }), text }
}

function decodeChunks(chunks: readonly Buffer[]): string {
  const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString()
  // Remove the byte order mark.
  return text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text
}

/**
 * Decodes a body to text.
 *
 * @throws BodyTooLargeError as soon as the decoded bytes exceed `maxBytes`.
 */
async function decodedText(body: Readable, encodings: string, maxBytes: number): Promise<string> {
  // Like `fetch`, which passes on what it cannot decode: some servers name the charset here.
  const source = decodeBody(body, encodings) ?? body
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new BodyTooLargeError()
      chunks.push(chunk)
    }
  } catch (cause) {
    // A 304 or an empty response may have a content-encoding header.
    if (!isEmpty(cause, source)) throw cause
  }
  return decodeChunks(chunks)
}

/** Checks for a decoder that ended without any input: nothing was sent. */
const isEmpty = (cause: unknown, source: Readable): boolean =>
  cause instanceof Error &&
  'code' in cause &&
  cause.code === 'Z_BUF_ERROR' &&
  'bytesWritten' in source &&
  source.bytesWritten === 0
