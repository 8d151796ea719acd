import { getRequestListener, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PlatformError } from './errors.ts'
import type { AppEnv } from './http/app-env.ts'
import { graceMs } from './http/under-way.ts'
import type { Platform } from './platform.ts'

/** Options for listening. */
export interface ListenOptions {
  /** Port; 0 by default, which selects a free port. */
  readonly port?: number | undefined
  /** Address to bind to; 127.0.0.1 by default, which is not reachable from other machines. */
  readonly host?: string | undefined
}

/** Listening server. */
export interface Listening {
  /** Base URL such as `http://127.0.0.1:4600`. */
  readonly baseUrl: string
  readonly port: number
  /**
   * Stops the server. Pending requests have a grace period to finish. Does not close the
   * platform.
   */
  readonly close: () => Promise<void>
}

/** Interval at which idle connections are closed during shutdown, in ms. */
const idleMs = 20

/**
 * Serves a platform on a port.
 *
 * @throws PlatformError `LISTEN_FAILED` if the port is in use or not permitted,
 * `OPTION_INVALID` if it is not a valid port.
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
      // Do not replace the global Request, because a platform and its clients may share a
      // process.
      overrideGlobalObjects: false,
    }),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE'
      reject(
        new PlatformError('LISTEN_FAILED', 'The platform cannot listen.', {
          cause,
          details: { host, port, reason: isTaken ? 'the port is taken' : cause.message },
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
  listenHost,
})

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    // Wait slightly longer than the platform, so that its last responses are sent.
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
