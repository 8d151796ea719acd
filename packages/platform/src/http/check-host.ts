import { isLoopbackHost } from '@servicekit/core'
import type { MiddlewareHandler } from 'hono'
import type { ResolvedOptions } from '../options.ts'
import type { AppEnv } from './app-env.ts'
import { rejection } from './responses.ts'

/**
 * Rejects requests whose `Host` is not a name of this server with 400. Without
 * `publicUrl`, the URLs of sign-ins, invitations and files are built from `Host`, which
 * clients control.
 */
export const checkHost =
  ({
    publicUrl,
    allowedHosts,
  }: Pick<ResolvedOptions, 'publicUrl' | 'allowedHosts'>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { incoming, listenHost } = c.env ?? {}
    // In process, the program itself chooses the URL.
    if (publicUrl !== undefined || incoming === undefined) return next()
    const { host, hostname } = new URL(c.req.url)
    const bare = hostname.replace(/^\[(.*)\]$/, '$1')
    const own = [listenHost?.toLowerCase(), incoming.socket.localAddress?.replace(/^::ffff:/, '')]
    const isKnown =
      isLoopbackHost(hostname) ||
      own.includes(bare) ||
      allowedHosts.has(hostname) ||
      allowedHosts.has(host)
    if (isKnown) return next()
    const message = `The host ${host} is not allowed. Start the platform with --allowed-host ${hostname}, or with --public-url behind a proxy.`
    return rejection(400, message)
  }
