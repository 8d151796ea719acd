import type { MiddlewareHandler } from 'hono'
import { toResponse } from './answer.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import type { Permits } from './permits.ts'
import { tooSoon } from './refusals.ts'
import { senderOf } from './sender.ts'

const minute = 60_000

/** How requests are limited. */
interface RateLimitParts {
  /** Requests per address in a minute. */
  readonly limit: number
  readonly permits: Permits
  /** Whether 429 says when to come back; instances are known not to. */
  readonly retryAfter: boolean
  readonly trustProxy: boolean
  readonly now: () => Date
}

/** Answers 429 to an address that sent more than `limit` requests within a minute. */
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
