import type { MiddlewareHandler } from 'hono'
import { toResponse } from './answer.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import type { Permits } from './permits.ts'
import { rejection } from './refusals.ts'

const minute = 60_000

/** How requests are limited. */
interface RateLimitParts {
  /** Requests per address in a minute. */
  readonly limit: number
  readonly permits: Permits
  /** Whether 429 says when to come back; instances are known not to. */
  readonly sendsRetryAfter: boolean
  /** Whether a proxy tells whose request it is. */
  readonly trustsProxy: boolean
  readonly now: () => Date
}

/** Answers 429 to an address that sent more than `limit` requests within a minute. */
export function rateLimit({
  limit,
  permits,
  sendsRetryAfter,
  trustsProxy,
  now,
}: RateLimitParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (isControlPath(c.req.path)) return next()
    const time = now().getTime()
    const window = Math.floor(time / minute)
    const sender = c.env?.incoming?.socket.remoteAddress ?? 'in process'
    // What stands last is what the proxy itself saw; anyone can write what stands before.
    const told = trustsProxy
      ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim()
      : undefined
    if (await permits.take(told || sender, window)) return next()
    const answer = rejection(429, `More than ${limit} requests within a minute.`)
    const left = String(Math.ceil(((window + 1) * minute - time) / 1000))
    return toResponse(
      c.req.raw,
      sendsRetryAfter ? { ...answer, headers: { ...answer.headers, 'retry-after': left } } : answer,
    )
  }
}
