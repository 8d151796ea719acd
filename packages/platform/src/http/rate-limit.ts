import type { MiddlewareHandler } from 'hono'
import { toResponse } from './answer.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import { rejection } from './refusals.ts'

const minute = 60_000

/**
 * Answers 429 to an address that sent more than `limit` requests within a
 * minute, without saying when to come back: that is how instances do it.
 */
export function rateLimit(limit: number, now: () => Date): MiddlewareHandler<AppEnv> {
  let window = 0
  let counts = new Map<string, number>()
  return async (c, next) => {
    if (isControlPath(c.req.path)) return next()
    const current = Math.floor(now().getTime() / minute)
    if (current !== window) {
      window = current
      counts = new Map()
    }
    const address = c.env?.incoming?.socket.remoteAddress ?? 'in process'
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    if (count <= limit) return next()
    return toResponse(c.req.raw, rejection(429, `More than ${limit} requests within a minute.`))
  }
}
