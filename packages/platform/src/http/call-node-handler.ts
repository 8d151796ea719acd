import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/**
 * Calls a Node request handler with a Fetch request, without a connection. Resolves with
 * the complete response.
 *
 * @param url URL that the client sees; its origin may differ from that of the request.
 * @param mountPath path at which the handler is mounted, such as `/login`.
 * @param body body of the request, already read.
 */
export function callNodeHandler(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  request: Request,
  { url, mountPath }: { readonly url: URL; readonly mountPath: string },
  body?: string,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const incoming = incomingOf(request, url, mountPath, body)
    const outgoing = new CapturedResponse(incoming, resolve)
    // Rejects if the handler fails asynchronously; otherwise the caller would wait
    // forever.
    void (async () => handler(incoming, outgoing))().catch(reject)
  })
}

function incomingOf(request: Request, url: URL, mountPath: string, body?: string): IncomingMessage {
  const socket = new Socket()
  // The handler reads this property to detect https.
  Object.assign(socket, { encrypted: url.protocol === 'https:' })
  const incoming = new IncomingMessage(socket)
  const path = `${url.pathname}${url.search}`
  incoming.method = request.method
  incoming.url = path.slice(mountPath.length) || '/'
  Object.assign(incoming, { originalUrl: path })
  for (const [name, value] of request.headers) incoming.headers[name] = value
  incoming.headers.host = url.host
  delete incoming.headers['transfer-encoding']
  if (body !== undefined) {
    incoming.headers['content-length'] = String(Buffer.byteLength(body))
    incoming.push(body)
  }
  incoming.push(null)
  incoming.complete = true
  return incoming
}

/** Response that buffers its output, and calls back when it is complete. */
class CapturedResponse extends ServerResponse {
  readonly #chunks: Buffer[] = []
  readonly #done: (response: Response) => void

  constructor(request: IncomingMessage, done: (response: Response) => void) {
    super(request)
    this.#done = done
  }

  override write(chunk: string | Uint8Array): boolean {
    this.#chunks.push(Buffer.from(chunk as Uint8Array))
    return true
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk)
    this.finished = true
    const headers = new Headers()
    for (const [name, value] of Object.entries(this.getHeaders())) {
      for (const one of Array.isArray(value) ? value : [String(value)]) headers.append(name, one)
    }
    headers.delete('content-length')
    const isEmpty = this.#chunks.length === 0
    const body = isEmpty ? null : new Uint8Array(Buffer.concat(this.#chunks))
    this.#done(new Response(body, { status: this.statusCode, headers }))
    this.emit('finish')
    return this
  }
}
