import type { MiddlewareHandler } from 'hono'
import { createHash, timingSafeEqual } from 'node:crypto'
import { toResponse } from '../http/answer.ts'
import { type AppEnv, requestIdOf } from '../http/app-env.ts'
import { problem } from '../http/refusals.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Who may use the control routes: whoever has the token, or, where there is
 * none, whoever addresses this machine by a loopback name. A page of another
 * site that points a name of its own here is thereby kept out.
 */
export const guard =
  (token: string | undefined): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const isAllowed =
      token === undefined
        ? isLoopback(c)
        : isSame(c.req.header('authorization') ?? '', `Bearer ${token}`)
    if (isAllowed) return next()
    const [status, title] =
      token === undefined
        ? [403, 'Without a control token these routes are open to this machine only.']
        : [401, 'The control token is missing or wrong.']
    return toResponse(c.req.raw, problem(status as number, title as string, requestIdOf(c)))
  }

/** Whether this machine asks. In process there is no connection, and nobody else who could. */
export function isLoopback(c: Parameters<MiddlewareHandler<AppEnv>>[0]): boolean {
  const address = c.env?.incoming?.socket.remoteAddress
  if (address === undefined) return true
  const isLocal = address === '::1' || address.replace(/^::ffff:/, '').startsWith('127.')
  return isLocal && loopback.has(new URL(c.req.url).hostname)
}

/** Compares in a time that says nothing about where two texts differ. */
function isSame(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
