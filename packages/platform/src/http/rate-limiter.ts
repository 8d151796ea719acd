import { type SQL, sql } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import { callFunction } from '../database/call-function.ts'
import type { Scopes, Tables, Unscoped } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Services } from '../services.ts'
import { type AppEnv, isControlPath } from './app-env.ts'
import { TooManyRequestsError } from './responses.ts'
import { isFromOperator, senderOf } from './address.ts'

/** Token bucket: allows `limit` requests at once, and one more every `intervalMs`. */
export interface Bucket {
  readonly key: string
  readonly limit: number
  readonly intervalMs: number
}

const keysOf = (buckets: readonly Bucket[]): SQL =>
  sql`${sql.param(buckets.map(({ key }) => key))}::text[]`
const numbersOf = (buckets: readonly Bucket[], name: 'limit' | 'intervalMs'): SQL =>
  sql`${sql.param(buckets.map((bucket) => bucket[name]))}::float8[]`

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/**
 * Limits requests with token buckets in the database, which all instances share.
 *
 * Each bucket is stored as the time at which it will be full again; every token moves that
 * time by one interval (the generic cell rate algorithm).
 *
 * @see https://en.wikipedia.org/wiki/Generic_cell_rate_algorithm
 */
export function createRateLimiter(unscoped: () => Promise<Unscoped>, now: () => Date) {
  let cleanedAt = -Infinity

  /** Returns the time until a bucket has a token, in ms. */
  const waitMsOf = ({ limit, intervalMs }: Bucket, fullAt: number): number =>
    fullAt - now().getTime() - (limit - 1) * intervalMs

  /** Takes a token from each bucket. @returns an empty bucket, after which none was taken. */
  const takeFrom = async (tables: Unscoped, buckets: readonly Bucket[]) => {
    const call = sql`take_tokens(${keysOf(buckets)}, ${numbersOf(buckets, 'limit')},
      ${numbersOf(buckets, 'intervalMs')}, ${now().getTime()})`
    const found = await callFunction<{ position: number; fullAt: number }>(tables, call)
    return found && { bucket: buckets[found.position]!, fullAt: found.fullAt }
  }

  const errorOf = (waitMs: number, message?: string): TooManyRequestsError =>
    new TooManyRequestsError(Math.max(1, Math.ceil(waitMs / 1000)), message)

  /** Removes buckets that are full, and those of another clock. */
  const clean = async (): Promise<void> => {
    const time = now().getTime()
    if (time - cleanedAt < minuteMs) return
    cleanedAt = time
    await (
      await unscoped()
    ).execute(sql`
      delete from servicekit.rate_limits where key in (
        select key from servicekit.rate_limits
        where full_at <= ${time} or full_at > ${time + hourMs} for update skip locked)`)
  }

  return {
    /** Takes a token from each bucket. @throws TooManyRequestsError if a bucket is empty. */
    take: async (buckets: readonly Bucket[], message?: string): Promise<void> => {
      await clean()
      const empty = await takeFrom(await unscoped(), buckets)
      if (empty) throw errorOf(waitMsOf(empty.bucket, empty.fullAt), message)
    },
    /** Returns the tokens of a successful attempt, and fills the first bucket. */
    refund: async (buckets: readonly Bucket[]): Promise<void> => {
      const call = sql`refund_tokens(${keysOf(buckets)}, ${numbersOf(buckets, 'intervalMs')})`
      await callFunction(await unscoped(), call)
    },
    /**
     * Checks a guess, and takes a token from each bucket if it is wrong. Checks with the same
     * bucket run one after another, so that there are never more than the bucket has tokens,
     * however many guesses arrive at once.
     *
     * @param check returns what was guessed; undefined if the guess is wrong. It must be fast,
     * because others wait for it.
     * @throws TooManyRequestsError if a bucket is empty; the guess is not checked.
     */
    guess: async <T>(
      buckets: readonly Bucket[],
      transaction: Scopes['transaction'],
      check: (tables: Tables) => Promise<T | undefined>,
    ): Promise<T | undefined> => {
      await clean()
      // In one order, so that two guesses never wait for each other.
      const sorted = buckets.toSorted((one, other) => (one.key < other.key ? -1 : 1))
      return transaction(async (tables) => {
        const times = await callFunction<number[]>(tables, sql`lock_buckets(${keysOf(sorted)})`)
        for (const [index, bucket] of sorted.entries()) {
          const waitMs = waitMsOf(bucket, times![index]!)
          if (waitMs > bucket.intervalMs / 2) throw errorOf(waitMs)
        }
        const found = await check(tables)
        if (found === undefined) await takeFrom(tables, sorted)
        return found
      })
    },
  }
}

/** Returns true for a control operation that reads cookies, unless the operator calls it. */
const mayHaveSession = (c: Context<AppEnv>, options: ResolvedOptions): boolean =>
  /^\/_platform\/(?:session$|projects\/)/.test(c.req.path) && !isFromOperator(c, options)

/**
 * Responds with 429 if an address sends more than `perMinute` requests.
 *
 * @param kind separates independent limits. While the database is unavailable, which many requests
 * at once can cause, all `requests` are allowed, because some need no database; `suggestions`,
 * which may incur costs, are refused.
 */
export function rateLimit(
  kind: 'requests' | 'suggestions',
  perMinute: number,
  services: () => Promise<Services>,
  options: ResolvedOptions,
): MiddlewareHandler<AppEnv> {
  const limiter = createRateLimiter(async () => (await services()).database.unscoped, options.now)
  const rule = { limit: perMinute, intervalMs: minuteMs / perMinute }
  const message = `More than ${perMinute} requests within a minute.`
  return async (c, next) => {
    if (isControlPath(c.req.path) && !mayHaveSession(c, options)) return next()
    try {
      await limiter.take([{ ...rule, key: `${kind} ${senderOf(c, options)}` }], message)
    } catch (error) {
      if (error instanceof TooManyRequestsError || kind === 'suggestions') throw error
      options.onError(error as Error)
    }
    return next()
  }
}
