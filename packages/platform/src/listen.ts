import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PlatformError } from './errors.ts'
import type { AppEnv } from './http/app-env.ts'
import { lightResponse } from './http/light-response.ts'
import { graceMs } from './http/under-way.ts'
import type { Platform } from './platform.ts'

/** Where to listen. */
export interface ListenOptions {
  /** Port; 0, which takes a free one, by default. */
  readonly port?: number | undefined
  /** Address of the interface; 127.0.0.1 by default, which other machines cannot reach. */
  readonly host?: string | undefined
}

/** A listening server. */
export interface Listening {
  /** Such as `http://127.0.0.1:4600`. */
  readonly baseUrl: string
  readonly port: number
  /** Ends the server. Requests under way have a moment to finish. The platform stays. */
  readonly close: () => Promise<void>
}

/** How often connections that fell idle are looked for when the server is closed, in ms. */
const idleMs = 20

/**
 * Serves a platform on a port.
 *
 * @throws PlatformError `LISTEN_FAILED` when the port is taken or may not be used,
 * `OPTION_INVALID` when it is none.
 */
export async function listen(
  platform: Pick<Platform, 'fetch'>,
  { port = 0, host = '127.0.0.1' }: ListenOptions = {},
): Promise<Listening> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    const summary = `port must be a whole number from 0 to 65535, and is ${port}.`
    throw new PlatformError('OPTION_INVALID', summary)
  }
  const server = createServer(
    getRequestListener((request, bindings) => platform.fetch(request, bind(bindings, host)), {
      // Tests run a platform and its clients in one process: its Request stays its own.
      overrideGlobalObjects: false,
    }),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE'
      reject(
        new PlatformError('LISTEN_FAILED', 'The platform cannot listen.', {
          cause,
          facts: { host, port, reason: isTaken ? 'the port is taken' : cause.message },
          help: isTaken ? 'End the program that uses it, or choose another port.' : '',
        }),
      )
    })
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return { baseUrl: `http://${name}:${actual}`, port: actual, close: () => end(server) }
}

const bind = (
  { incoming, outgoing }: HttpBindings | Http2Bindings,
  listenHost: string,
): AppEnv['Bindings'] => ({
  incoming: incoming as IncomingMessage,
  outgoing: outgoing as ServerResponse,
  makeResponse: lightResponse,
  listenHost,
})

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // A little longer than the platform waits, so that its last answers are sent.
    const timer = setTimeout(() => server.closeAllConnections(), graceMs + 500)
    const idle = setInterval(() => server.closeIdleConnections(), idleMs)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}
