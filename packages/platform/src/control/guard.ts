import { isLoopbackHost, isLoopbackUrl } from '@servicekit/core'
import type { Context, MiddlewareHandler } from 'hono'
import { isForwarded, isLocalRequest } from '../http/address.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { problemDetails } from '../http/responses.ts'
import { isEqualSecret } from '../identity/secrets.ts'
import type { ResolvedOptions } from '../options.ts'

type GuardOptions = Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>

/**
 * Allows requests with the control token. If no token is set, allows requests that this
 * machine sends directly to a loopback name. This blocks requests forwarded by a proxy,
 * and pages of a site whose name resolves to this machine.
 */
export const guard =
  (options: GuardOptions): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { controlToken } = options
    const isAllowed =
      controlToken === undefined
        ? isFromThisMachine(c, options)
        : isEqualSecret(c.req.header('authorization') ?? '', `Bearer ${controlToken}`)
    if (isAllowed) return next()
    return controlToken === undefined
      ? problemDetails(403, noToken, requestIdOf(c))
      : problemDetails(401, 'The control token is missing or wrong.', requestIdOf(c))
  }

const noToken =
  'Without a control token these routes are open only to requests from this machine to a loopback address, not through a proxy or with a public URL. Set a token with --control-token or SERVICEKIT_CONTROL_TOKEN.'

/** Returns true if this machine sent the request. Requests in process have no connection. */
export function isFromThisMachine(
  c: Context<AppEnv>,
  options: Pick<ResolvedOptions, 'publicUrl'>,
): boolean {
  const sender = c.env?.incoming?.socket.remoteAddress
  if (sender !== undefined) return isLoopbackHost(sender) && isLocalRequest(options, c.req.raw)
  const { publicUrl } = options
  return !isForwarded(c.req.raw.headers) && (publicUrl === undefined || isLoopbackUrl(publicUrl))
}
