import { createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { duplexPair } from 'node:stream'

/** Headers that concern a single connection. */
const ofConnection = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

/**
 * Calls a Node request handler with a Fetch request, over a connection in memory. Resolves
 * with the complete response.
 *
 * @param url URL that the client sees; its origin may differ from that of the request.
 * @param mountPath path at which the handler is mounted, such as `/login`.
 * @param body body of the request, already read.
 */
export async function callNodeHandler(
  handler: (request: IncomingMessage, response: ServerResponse) => unknown,
  request: Request,
  { url, mountPath }: { readonly url: URL; readonly mountPath: string },
  body = '',
): Promise<Response> {
  const [client, connection] = duplexPair()
  const path = `${url.pathname}${url.search}`
  const failed = new Promise<never>((_, reject) => {
    const server = createServer((incoming, outgoing) => {
      Object.assign(incoming, { originalUrl: path })
      void (async () => handler(incoming, outgoing))().catch(reject)
    })
    // The handler reads this property to detect https.
    Object.assign(connection, { encrypted: url.protocol === 'https:' })
    server.emit('connection', connection)
  })
  const headers = new Headers(request.headers)
  for (const name of ofConnection) headers.delete(name)
  headers.set('host', url.host)
  headers.set('content-length', String(Buffer.byteLength(body)))
  const sent = send({
    createConnection: () => client,
    method: request.method,
    path: path.slice(mountPath.length) || '/',
    headers: Object.fromEntries(headers),
  }).end(body)
  try {
    const [received] = (await Promise.race([once(sent, 'response'), failed])) as [IncomingMessage]
    const bytes = Buffer.concat(await received.toArray())
    const values = Object.entries(received.headersDistinct).flatMap(([name, all = []]) =>
      ofConnection.includes(name) ? [] : all.map((value): [string, string] => [name, value]),
    )
    const isEmpty = bytes.length === 0
    return new Response(isEmpty ? null : bytes, { status: received.statusCode!, headers: values })
  } finally {
    client.destroy()
  }
}
