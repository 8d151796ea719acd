import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, connect } from 'node:net'

/** Options of {@link startHttpProxy}. */
interface Options {
  /** Port of this machine that every host name leads to. */
  readonly target: number
  /** `user:password` that requests need. */
  readonly credentials?: string
}

/** Starts an HTTP proxy. It forwards requests with a whole URL, and tunnels with CONNECT. */
export async function startHttpProxy({ target, credentials }: Options) {
  /** Method and target of each request. */
  const requests: string[] = []
  /** Local ports of the connections to the target, by which it knows the proxy. */
  const ports = new Set<number>()
  const wanted =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  const isRefused = (request: http.IncomingMessage): boolean => {
    requests.push(`${request.method} ${request.url}`)
    return wanted !== undefined && request.headers['proxy-authorization'] !== wanted
  }
  const server = http.createServer((request, response) => {
    if (isRefused(request)) return void response.writeHead(407).end()
    const { pathname, search } = new URL(request.url!)
    const { 'proxy-authorization': _, ...headers } = request.headers
    const options = { port: target, path: pathname + search, method: request.method, headers }
    const sent = http.request({ host: '127.0.0.1', ...options }, (received) => {
      ports.add(received.socket.localPort!)
      response.writeHead(received.statusCode!, received.headers)
      received.pipe(response)
    })
    sent.on('error', () => response.destroy())
    request.pipe(sent)
  })
  server.on('connect', (request: http.IncomingMessage, socket) => {
    if (isRefused(request)) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    }
    const tunnel = connect(target, '127.0.0.1', () => {
      ports.add(tunnel.localPort!)
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      tunnel.pipe(socket).pipe(tunnel)
    })
    for (const [one, other] of [
      [socket, tunnel],
      [tunnel, socket],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    requests,
    ports,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
