import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

/** What a handler made for a Node server is told of a request that came as a Fetch request. */
export interface NodeAddress {
  /** Address that the client sees; its origin may differ from what the request says. */
  readonly url: URL
  /** Path below which the handler is mounted, such as `/login`. */
  readonly mountPath: string
}

/**
 * Calls a handler that was made for a Node server with a Fetch request, without
 * a connection. The response is complete before it is returned.
 *
 * @param body the request's body, already read.
 */
export function callNode(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  request: Request,
  { url, mountPath }: NodeAddress,
  body?: string,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const incoming = incomingOf(request, url, mountPath, body)
    const outgoing = new CapturedResponse(incoming, resolve)
    // A handler that fails asynchronously would otherwise leave the caller waiting.
    void (async () => handler(incoming, outgoing))().catch(reject)
  })
}

function incomingOf(request: Request, url: URL, mountPath: string, body?: string): IncomingMessage {
  const socket = new Socket()
  // What the handler reads to tell https from http.
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

/** A response that keeps what is written, and says when it is whole. */
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
