/** Node server for the platform. It listens before its database is open; requests wait. */
import { getRequestListener } from '@hono/node-server'
import { isLoopbackHost } from '@servicekit/core'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openDatabase } from './database/open-database.ts'
import { PlatformError } from './errors.ts'
import type { PlatformOptions } from './options.ts'
import type { Platform } from './platform.ts'
import { resolveOptions } from './resolve-options.ts'

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
   * Stops the server.
   *
   * @param graceMs time that requests in flight may take; 3500 by default.
   */
  readonly close: (graceMs?: number) => Promise<void>
}

/** Options of {@link startPlatform}: those of a platform, and of listening. */
export interface StartOptions extends Omit<PlatformOptions, 'projects'>, ListenOptions {
  /** Project folder, or several folders. */
  readonly projectDir?: string | readonly string[]
  /** Returns a handler in front of the platform, such as that of `withConsole`. */
  readonly wrap?: (platform: Platform) => Platform['fetch']
  /** Called with the base URL when the server listens, before its database is open. */
  readonly onListening?: (baseUrl: string) => void
}

/** Platform that listens on a port; `close` closes the server and the platform. */
export interface StartedPlatform extends Listening {
  /** Keys of the loaded projects, in the order of their folders. */
  readonly projectKeys: readonly string[]
  /** Startup warnings, such as projects without an administrator. */
  readonly notices: readonly string[]
  readonly platform: Platform
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

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
    const message = `port must be an integer between 0 and 65535 (received ${port})`
    throw new PlatformError('OPTION_INVALID', message)
  }
  const server = createServer(
    getRequestListener(
      (request, { incoming, outgoing }) =>
        platform.fetch(request, {
          incoming: incoming as IncomingMessage,
          outgoing: outgoing as ServerResponse,
          listenHost: host,
        }),
      { overrideGlobalObjects: false },
    ),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE'
      reject(
        new PlatformError('LISTEN_FAILED', 'The platform cannot listen.', {
          cause,
          details: { host, port, reason: isTaken ? 'the port is in use' : cause.message },
          ...(isTaken && { help: 'Stop the program that uses the port, or choose another port.' }),
        }),
      )
    })
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo
  const name = host.includes(':') ? `[${host}]` : host
  return {
    baseUrl: `http://${name}:${actual}`,
    port: actual,
    close: (graceMs) => closeServer(server, graceMs),
  }
}

function closeServer(server: Server, graceMs = 3500): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs)
    // Connections become idle when their requests end.
    const idle = setInterval(() => server.closeIdleConnections(), 20)
    server.close(() => {
      clearTimeout(timer)
      clearInterval(idle)
      resolve()
    })
  })
}

/**
 * Starts a platform on a port, and resolves when its projects are loaded.
 *
 * ```ts
 * const { baseUrl, projectKeys, close } = await startPlatform({ projectDir: 'my-project', port: 4600 })
 * ```
 *
 * @throws PlatformError `OPTION_INVALID`, `PROJECT_INVALID`, `LISTEN_FAILED`,
 * `DATABASE_IN_USE`, `DATABASE_INCOMPATIBLE`, `DATABASE_FAILED`
 */
export async function startPlatform(options: StartOptions = {}): Promise<StartedPlatform> {
  const { projectDir = [], port, host, onListening, ...others } = options
  const { wrap = ({ fetch }) => fetch, ...rest } = others
  const projects = typeof projectDir === 'string' ? [projectDir] : projectDir
  const resolved = resolveOptions({ ...rest, projects })
  if (resolved.openProjects && host !== undefined && !isLoopbackHost(host)) {
    throw new PlatformError(
      'OPTION_INVALID',
      `Cannot use openProjects on ${host}: other machines could change everything.`,
    )
  }
  // The database takes longest to open, and starts in its own thread during the import.
  const database = openDatabase(resolved)
  database.catch(() => {})
  const starting = import('./platform.ts').then(({ beginPlatform }) =>
    beginPlatform(resolved, database),
  )
  const handler = starting.then(({ platform }) => wrap(platform))
  handler.catch(() => {})
  let server: Listening | undefined
  const close = async (): Promise<void> => {
    const { platform } = await starting
    // Close both at once: event streams only end with the platform, and the server waits for them.
    await Promise.all([platform.close(), server?.close()])
  }
  try {
    // Listens before the platform is imported, which takes a while.
    const fetch: Platform['fetch'] = async (...request) => (await handler)(...request)
    server = await listen({ fetch }, { port, host })
    onListening?.(server.baseUrl)
    const { platform, ready } = await starting
    const startup = await ready
    return {
      ...server,
      projectKeys: startup.projects.map(({ key }) => key),
      notices: startup.notices,
      platform,
      close,
      [Symbol.asyncDispose]: close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
