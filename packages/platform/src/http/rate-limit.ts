import type { MiddlewareHandler } from 'hono'
import { toResponse } from './answer.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import type { Permits } from './permits.ts'
import { tooSoon } from './refusals.ts'
import { senderOf } from './sender.ts'

const minute = 60_000

/** Options of the rate limit. */
interface RateLimitParts {
  /** Requests per address and minute. */
  readonly limit: number
  readonly permits: Permits
  /** Adds `retry-after` to 429 responses; instances are known not to send it. */
  readonly retryAfter: boolean
  readonly trustProxy: boolean
  readonly now: () => Date
}

/** Responds with 429 if an address sends more than `limit` requests per minute. */
export function rateLimit({
  limit,
  permits,
  retryAfter,
  trustProxy,
  now,
}: RateLimitParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (isControlPath(c.req.path)) return next()
    const time = now().getTime()
    const window = Math.floor(time / minute)
    if (await permits.take(senderOf(c, { trustProxy }), window)) return next()
    const left = Math.ceil(((window + 1) * minute - time) / 1000)
    const message = `More than ${limit} requests within a minute.`
    return toResponse(c.req.raw, tooSoon(message, left, { retryAfter }))
  }
}
