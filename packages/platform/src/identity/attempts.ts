import { type SQL, sql } from 'drizzle-orm'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import { hashSecret } from './secrets.ts'

/** Number of free attempts, and the longest pause before a further attempt. */
interface Rule {
  readonly free: number
  readonly maxPauseMs: number
}

const guessing: Rule = { free: 10, maxPauseMs: 60_000 }
/**
 * Slows down guesses that are spread over accounts or addresses, with little effect on
 * other users.
 */
const spread: Rule = { free: 100, maxPauseMs: 2000 }

/** Subject for which failed attempts are counted. */
export interface Subject extends Rule {
  /** Hash used as key, so that no names or addresses are stored. */
  readonly hash: string
}

const subject = (rule: Rule, ...parts: readonly (string | number)[]): Subject => ({
  ...rule,
  hash: hashSecret(JSON.stringify(parts)),
})

/** Subjects of an attempt to guess the password of an account, which need not exist. */
export const passwordAttempt = (projectId: number, name: string, sender: string) => {
  const account = name.trim().toLowerCase()
  return [
    subject(guessing, 'password', projectId, account, sender),
    subject(spread, 'password from', sender),
    subject(spread, 'password of', projectId, account),
  ]
}

/** Subjects of an attempt to guess the second-factor code of a user. */
export const codeAttempt = (projectId: number, userId: string) => [
  subject(guessing, 'code', projectId, userId),
]

/** Subjects of an attempt to guess an activation code. */
export const activationAttempt = (projectId: number, sender: string) => [
  subject(guessing, 'activation', projectId, sender),
]

/** Subjects of an attempt to guess the secret of a client. */
export const secretAttempt = (projectId: number, clientId: string, sender: string) => [
  subject(guessing, 'secret', projectId, clientId, sender),
  subject(spread, 'secret from', sender),
]

/** Rejection of an attempt. */
export interface TooManyAttempts {
  readonly retryAfterSeconds: number
}

/** Counts failed attempts and delays further ones, for all instances on one database. */
export interface Attempts {
  /**
   * Counts an attempt before its outcome is known, so that concurrent guesses have no
   * advantage. Waits for a short pause; rejects the attempt for a longer one.
   */
  readonly take: (subjects: readonly Subject[]) => Promise<TooManyAttempts | undefined>
  /** Uncounts a successful attempt, and resets the first subject. */
  readonly forgive: (subjects: readonly Subject[]) => Promise<void>
  /** Waits or rejects like {@link Attempts.take}, but counts only attempts that fail. */
  readonly check: <T>(
    subjects: readonly Subject[],
    run: () => Promise<T>,
    hasFailed: (result: T) => boolean,
  ) => Promise<T | TooManyAttempts>
}

/** Longest pause that a request waits for; longer ones are rejected with 429. */
const maxWaitMs = 2000
/** Failed attempts expire after this time without another one. */
const memoryMs = 15 * 60_000

/** Time at which the next attempt may run. Setting the clock back does not extend a pause. */
const slot = ({ free, maxPauseMs }: Subject, time: number): SQL => sql`
  greatest(${time}::bigint, least(a.last_at, ${time + maxWaitMs}::bigint)
    + case when a.failures < ${free}::int then 0
      else least(${maxPauseMs}::bigint, 1000 * 2 ^ least(a.failures - ${free}::int, 20))::bigint
    end)`
const peek = (one: Subject, time: number): SQL => sql`
  select ${slot(one, time)} - ${time}::bigint as wait
  from servicekit.failed_attempts a where a.hash = ${one.hash}`
const count = (one: Subject, time: number): SQL => sql`
  insert into servicekit.failed_attempts as a (hash, failures, last_at)
  values (${one.hash}, 1, ${time}::bigint)
  on conflict (hash) do update set last_at = ${slot(one, time)},
    failures = case when a.last_at < ${time - memoryMs}::bigint then 1 else a.failures + 1 end
    where ${slot(one, time)} <= ${time + maxWaitMs}::bigint
  returning a.last_at - ${time}::bigint as wait`

/** Creates the counters of failed attempts in a database. */
export function attemptsOf(
  { directory }: Pick<Database, 'directory'>,
  { now }: Pick<ResolvedOptions, 'now'>,
): Attempts {
  let cleanedAt = 0

  const ask = async (statement: typeof count, one: Subject) => {
    const { rows } = await directory.execute(statement(one, now().getTime()))
    const wait = rows[0]?.['wait']
    return wait === undefined ? undefined : Number(wait)
  }

  const turn = async (one: Subject, isCounted: boolean): Promise<TooManyAttempts | undefined> => {
    const counted = isCounted ? await ask(count, one) : undefined
    const wait = counted ?? (await ask(peek, one)) ?? 0
    const isRefused = wait > maxWaitMs || (isCounted && counted === undefined)
    if (isRefused) return { retryAfterSeconds: Math.max(1, Math.ceil(wait / 1000)) }
    if (wait > 0) await sleep(wait)
    return undefined
  }

  const turns = async (
    subjects: readonly Subject[],
    isCounted: boolean,
  ): Promise<TooManyAttempts | undefined> => {
    for (const one of subjects) {
      const refused = await turn(one, isCounted)
      // Do not count a rejected attempt for the remaining subjects.
      if (refused) return refused
    }
    return undefined
  }

  const removeOld = async (): Promise<void> => {
    const before = now().getTime() - memoryMs
    if (before - cleanedAt < 60_000) return
    cleanedAt = before
    await directory.execute(sql`
      delete from servicekit.failed_attempts where hash in (
        select hash from servicekit.failed_attempts
        where last_at < ${before}::bigint for update skip locked)`)
  }

  return {
    take: async (subjects) => {
      await removeOld()
      return turns(subjects, true)
    },
    forgive: async ([first, ...rest]) => {
      await directory.execute(sql`
        delete from servicekit.failed_attempts where hash = ${first!.hash}`)
      await directory.execute(sql`
        update servicekit.failed_attempts set failures = greatest(failures - 1, 0)
        where hash = any(${sql.param(rest.map(({ hash }) => hash))}::text[])`)
    },
    check: async (subjects, run, hasFailed) => {
      const refused = await turns(subjects, false)
      if (refused) return refused
      const result = await run()
      if (!hasFailed(result)) return result
      await removeOld()
      for (const one of subjects) await ask(count, one)
      return result
    },
  }
}

/** Message for a rejected attempt. */
export const tooManyText = ({ retryAfterSeconds }: TooManyAttempts): string =>
  `Too many attempts. Try again in ${retryAfterSeconds} seconds.`
