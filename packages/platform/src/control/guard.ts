import { isLoopbackHost, isLoopbackUrl } from '@servicekit/contract'
import type { Context, MiddlewareHandler } from 'hono'
import { createHash, timingSafeEqual } from 'node:crypto'
import { isForwarded, isLocalRequest } from '../http/address.ts'
import { toResponse } from '../http/answer.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { problem } from '../http/refusals.ts'
import type { ResolvedOptions } from '../options.ts'

type GuardOptions = Pick<ResolvedOptions, 'controlToken' | 'publicUrl'>

/**
 * Lets requests with the control token use the control routes or, where none is
 * set, requests that this machine sends directly to a loopback name. That keeps
 * out requests that a proxy passes on, and pages of a site whose name resolves to
 * this machine.
 */
export const guard =
  (options: GuardOptions): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { controlToken } = options
    const isAllowed =
      controlToken === undefined
        ? isFromThisMachine(c, options)
        : isSame(c.req.header('authorization') ?? '', `Bearer ${controlToken}`)
    if (isAllowed) return next()
    const answer =
      controlToken === undefined
        ? problem(403, noToken, requestIdOf(c))
        : problem(401, 'The control token is missing or wrong.', requestIdOf(c))
    return toResponse(c.req.raw, answer)
  }

const noToken =
  'Without a control token these routes are open only to requests from this machine to a loopback address, not through a proxy or with a public URL. Set a token with --control-token or SERVICEKIT_CONTROL_TOKEN.'

/** Returns whether this machine sent a request itself. In process there is no connection. */
export function isFromThisMachine(
  c: Context<AppEnv>,
  options: Pick<ResolvedOptions, 'publicUrl'>,
): boolean {
  const sender = c.env?.incoming?.socket.remoteAddress
  if (sender !== undefined) return isLoopbackHost(sender) && isLocalRequest(options, c.req.raw)
  const { publicUrl } = options
  return !isForwarded(c.req.raw.headers) && (publicUrl === undefined || isLoopbackUrl(publicUrl))
}

/** Compares in a time that says nothing about where two texts differ. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
