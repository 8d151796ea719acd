import { once } from 'node:events'
import { createServer, request as send, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export type Balancer = Awaited<ReturnType<typeof startBalancer>>

/**
 * Starts a reverse proxy that sends requests to instances in turn. An instance that refuses a
 * connection is skipped, as by any balancer.
 *
 * @param certificate speaks https with it, on the name `localhost`.
 */
export async function startBalancer(certificate?: { readonly key: Buffer; readonly cert: Buffer }) {
  let targets: readonly URL[] = []
  let count = 0
  const forward: RequestListener = (incoming, outgoing) => {
    const first = count++
    const attempt = (tried: number): void => {
      const target = targets[(first + tried) % Math.max(1, targets.length)]
      if (!target || tried === targets.length) return void outgoing.writeHead(503).end()
      // A test gives its own address where those of its clients must differ.
      const headers = { 'x-forwarded-for': '198.51.100.7', ...incoming.headers }
      const { hostname, port } = target
      const path = incoming.url
      const method = incoming.method
      const forwarded = send(
        { hostname, port, path, method, headers, agent: false },
        (response) => {
          outgoing.writeHead(response.statusCode!, response.headers)
          response.pipe(outgoing)
        },
      )
      forwarded.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') attempt(tried + 1)
        else outgoing.destroy()
      })
      // The body must not be consumed before the connection is accepted.
      forwarded.once('socket', (socket) => {
        socket.once('connect', () => incoming.pipe(forwarded))
      })
    }
    attempt(0)
  }
  const server = certificate ? createSecureServer(certificate, forward) : createServer(forward)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: certificate ? `https://localhost:${port}` : `http://127.0.0.1:${port}`,
    /** Sets the base URLs of the instances. */
    use: (baseUrls: readonly string[]): void => {
      targets = baseUrls.map((one) => new URL(one))
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
