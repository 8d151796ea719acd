import { type SQL, sql } from 'drizzle-orm'
import type { Context, MiddlewareHandler } from 'hono'
import type { Scopes, Tables } from '../database/database.ts'
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
export function createRateLimiter(unscoped: () => Promise<Tables>, now: () => Date) {
  let cleanedAt = -Infinity

  const execute = async <R extends Record<string, unknown>>(query: SQL) =>
    (await unscoped()).execute<R>(query)

  const takeOne = async ({ key, limit, intervalMs }: Bucket, tables?: Tables): Promise<boolean> => {
    const time = now().getTime()
    // Half a token absorbs rounding errors.
    const { rowCount } = await (tables ?? (await unscoped())).execute(sql`
      insert into servicekit.rate_limits as bucket (key, full_at)
      values (${key}, ${time + intervalMs})
      on conflict (key) do update set full_at = greatest(bucket.full_at, ${time}) + ${intervalMs}
        where bucket.full_at <= ${time + (limit - 0.5) * intervalMs}`)
    return rowCount === 1
  }

  /** Returns the time until a bucket has a token, in ms. */
  const waitMsOf = ({ limit, intervalMs }: Bucket, fullAt: number): number =>
    fullAt - now().getTime() - (limit - 1) * intervalMs

  const fullAtOf = async ({ key }: Bucket): Promise<number> => {
    const { rows } = await execute<{ full_at: number }>(
      sql`select full_at from servicekit.rate_limits where key = ${key}`,
    )
    return rows[0]?.full_at ?? 0
  }

  /** Locks a bucket until the transaction ends. @returns the time at which it will be full. */
  const lock = async (tables: Tables, { key }: Bucket): Promise<number> => {
    const { rows } = await tables.execute<{ full_at: number }>(sql`
      insert into servicekit.rate_limits as bucket (key, full_at) values (${key}, 0)
      on conflict (key) do update set full_at = bucket.full_at returning full_at`)
    return rows[0]!.full_at
  }

  const errorOf = (waitMs: number, message?: string): TooManyRequestsError =>
    new TooManyRequestsError(Math.max(1, Math.ceil(waitMs / 1000)), message)

  /** Removes buckets that are full, and those of another clock. */
  const clean = async (): Promise<void> => {
    const time = now().getTime()
    if (time - cleanedAt < minuteMs) return
    cleanedAt = time
    await execute(sql`
      delete from servicekit.rate_limits where key in (
        select key from servicekit.rate_limits
        where full_at <= ${time} or full_at > ${time + hourMs} for update skip locked)`)
  }

  return {
    /** Takes a token from each bucket. @throws TooManyRequestsError if a bucket is empty. */
    take: async (buckets: readonly Bucket[], message?: string): Promise<void> => {
      await clean()
      for (const bucket of buckets) {
        if (!(await takeOne(bucket))) {
          throw errorOf(waitMsOf(bucket, await fullAtOf(bucket)), message)
        }
      }
    },
    /** Returns the tokens of a successful attempt, and fills the first bucket. */
    refund: async ([first, ...rest]: readonly Bucket[]): Promise<void> => {
      await execute(sql`delete from servicekit.rate_limits where key = ${first!.key}`)
      for (const { key, intervalMs } of rest) {
        await execute(sql`
          update servicekit.rate_limits set full_at = full_at - ${intervalMs} where key = ${key}`)
      }
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
        for (const bucket of sorted) {
          const waitMs = waitMsOf(bucket, await lock(tables, bucket))
          if (waitMs > bucket.intervalMs / 2) throw errorOf(waitMs)
        }
        const found = await check(tables)
        if (found === undefined) for (const bucket of sorted) await takeOne(bucket, tables)
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
