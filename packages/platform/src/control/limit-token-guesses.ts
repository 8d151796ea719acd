import type { MiddlewareHandler } from 'hono'
import { inProcess, isFromOperator, senderOf } from '../http/address.ts'
import { type AppEnv, isControlPath } from '../http/app-env.ts'
import { TooManyRequestsError } from '../http/responses.ts'
import type { ResolvedOptions } from '../options.ts'

/** Wrong tokens that an address may send at once, and the time until it may send one more. */
const limit = 100
const intervalMs = 2000
const cleanMs = 60_000

/**
 * Limits guesses of the control token from one address. After too many wrong tokens none is
 * compared, also not the right one. Each instance counts by itself and in memory, unlike other
 * limits: an operator needs these routes while the database is away.
 */
export function limitTokenGuesses(options: ResolvedOptions): MiddlewareHandler<AppEnv> {
  /** Time by the machine's monotonic clock at which an address may send `limit` wrong tokens again. */
  const fullAt = new Map<string, number>()
  let cleanedAt = -Infinity
  return (c, next) => {
    const isGuess =
      options.controlToken !== undefined &&
      isControlPath(c.req.path) &&
      c.req.header('authorization') !== undefined
    if (!isGuess) return next()
    const now = performance.now()
    const sender = senderOf(c, options)
    if (sender === inProcess) return next()
    const nextFullAt = Math.max(fullAt.get(sender) ?? 0, now) + intervalMs
    const waitMs = nextFullAt - now - limit * intervalMs
    if (waitMs > 0) throw new TooManyRequestsError(Math.ceil(waitMs / 1000))
    if (isFromOperator(c, options)) return next()
    if (now - cleanedAt > cleanMs) {
      for (const [address, time] of fullAt) if (time <= now) fullAt.delete(address)
      cleanedAt = now
    }
    fullAt.set(sender, nextFullAt)
    return next()
  }
}
