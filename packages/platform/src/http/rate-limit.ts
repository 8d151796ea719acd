import type { MiddlewareHandler } from 'hono'
import { toResponse } from './answer.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import { rejection } from './refusals.ts'

const minute = 60_000

/** How requests are limited. */
interface RateLimitParts {
  /** Requests per address in a minute. */
  readonly limit: number
  /** Whether 429 says when to come back; instances are known not to. */
  readonly sendsRetryAfter: boolean
  readonly now: () => Date
}

/** Answers 429 to an address that sent more than `limit` requests within a minute. */
export function rateLimit({
  limit,
  sendsRetryAfter,
  now,
}: RateLimitParts): MiddlewareHandler<AppEnv> {
  let window = 0
  let counts = new Map<string, number>()
  return async (c, next) => {
    if (isControlPath(c.req.path)) return next()
    const time = now().getTime()
    const current = Math.floor(time / minute)
    if (current !== window) {
      window = current
      counts = new Map()
    }
    const address = c.env?.incoming?.socket.remoteAddress ?? 'in process'
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    if (count <= limit) return next()
    const answer = rejection(429, `More than ${limit} requests within a minute.`)
    const left = String(Math.ceil(((current + 1) * minute - time) / 1000))
    return toResponse(
      c.req.raw,
      sendsRetryAfter ? { ...answer, headers: { ...answer.headers, 'retry-after': left } } : answer,
    )
  }
}
