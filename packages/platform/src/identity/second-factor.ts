import { and, eq } from 'drizzle-orm'
import { randomInt } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { ResolvedOptions } from '../options.ts'
import type { Project } from '../projects/project-directory.ts'
import type { RateLimiter } from '../http/rate-limiter.ts'
import type { TooManyRequests } from '../http/refusals.ts'
import { codeBuckets } from './attempts.ts'
import { after, lifetimes } from './lifetimes.ts'
import { sendMail } from './mails.ts'
import { hashSecret, isEqualSecret } from './secrets.ts'
import { oidcStates } from './tables.ts'
import { updateUser } from './users.ts'

/** Dependencies of the second factor. */
export interface SecondFactorParts {
  readonly database: Database
  readonly project: Project
  readonly options: ResolvedOptions
  readonly rateLimiter: RateLimiter
}

/** User who must enter a code, and its recipient. */
export interface Challenged {
  readonly userId: string
  /** Name entered with the password. */
  readonly name: string
  readonly recipient: string
}

/** Result of checking a code. */
export type CodeChecked =
  | { readonly userId: string; readonly name: string }
  | TooManyRequests
  /** If `isOver` is true, no further codes are accepted and the sign-in must be restarted. */
  | { readonly fault: string; readonly isOver: boolean }

interface Challenge {
  readonly userId: string
  readonly name: string
  readonly codeHash: string
  readonly attempts: number
}

const kind = 'SecondFactor'
const digits = 6
const maxAttempts = 5

/** Sends a code for a sign-in; invalidates an earlier one. */
export async function sendCode(
  { database, project, options }: SecondFactorParts,
  signInId: string,
  { userId, name, recipient }: Challenged,
): Promise<void> {
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const payload: Challenge = { userId, name, codeHash: hashOf(signInId, code), attempts: 0 }
  const values = {
    payload: { ...payload },
    // Deleted together with the user's sessions.
    accountId: userId,
    expiresAt: after(options.now(), lifetimes.flow),
  }
  await database.scoped(project.id, async (tables) => {
    await tables
      .insert(oidcStates)
      .values({ projectId: project.id, kind, hash: hashSecret(signInId), ...values })
      .onConflictDoUpdate({
        target: [oidcStates.projectId, oidcStates.kind, oidcStates.hash],
        set: values,
      })
    const mail = {
      recipient,
      purpose: 'SecondFactor',
      subject: `Your code for ${project.name}`,
      body: `${code} is your code to sign in to ${project.name}.\n`,
      code,
    }
    await sendMail(tables, project.id, mail, options)
  })
}

/** Checks a code. A code is valid once; too many wrong codes end the sign-in. */
export async function checkCode(
  { database, project, options, rateLimiter }: SecondFactorParts,
  signInId: string,
  code: string,
): Promise<CodeChecked> {
  const isOwn = and(eq(oidcStates.kind, kind), eq(oidcStates.hash, hashSecret(signInId)))
  const [begun] = await database.scoped(project.id, (tables) =>
    tables.select().from(oidcStates).where(isOwn),
  )
  const over = { fault: 'The code is too old. Sign in again.', isOver: true }
  if (!begun) return over
  // Count attempts per user, because restarting the sign-in would otherwise allow more
  // guesses.
  const buckets = codeBuckets(project.id, (begun.payload as unknown as Challenge).userId)
  const refused = await rateLimiter.take(buckets)
  if (refused) return refused
  const checked = await database.scoped(project.id, async (tables): Promise<CodeChecked> => {
    const [row] = await tables.select().from(oidcStates).where(isOwn).for('update')
    if (!row || row.expiresAt <= options.now()) return over
    const challenge = row.payload as unknown as Challenge
    const { userId, name } = challenge
    if (isEqualSecret(challenge.codeHash, hashOf(signInId, code.trim()))) {
      await tables.delete(oidcStates).where(isOwn)
      await updateUser(tables, userId, { isMfaVerified: true })
      return { userId, name }
    }
    const attempts = challenge.attempts + 1
    if (attempts >= maxAttempts) {
      await tables.delete(oidcStates).where(isOwn)
      return { fault: 'Too many wrong codes. Sign in again.', isOver: true }
    }
    const payload = { ...challenge, attempts }
    await tables.update(oidcStates).set({ payload }).where(isOwn)
    return { fault: 'The code is wrong.', isOver: false }
  })
  if ('userId' in checked) await rateLimiter.refund(buckets)
  return checked
}

/**
 * Hashes a code with its sign-in id, because a short code alone could be guessed from its
 * hash.
 */
const hashOf = (signInId: string, code: string): string => hashSecret(`${signInId} ${code}`)
