import { and, eq } from 'drizzle-orm'
import { randomInt } from 'node:crypto'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { codeBuckets } from './attempts.ts'
import { after, lifetimes } from './lifetimes.ts'
import { SignInError } from './log-in.ts'
import { sendMail } from './mails.ts'
import { hashSecret, isEqualSecret } from './secrets.ts'
import { oidcStates } from './tables.ts'
import { updateUser } from './users.ts'

/** User who must enter a code, and its recipient. */
export interface Challenged {
  readonly userId: string
  /** Name entered with the password. */
  readonly name: string
  readonly recipient: string
}

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
  { database, options }: Services,
  project: Project,
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

/**
 * Checks a code. A code is valid once; too many wrong codes end the sign-in.
 *
 * @throws SignInError, TooManyRequestsError
 */
export async function checkCode(
  { database, options, identity }: Services,
  project: Project,
  signInId: string,
  code: string,
): Promise<Pick<Challenge, 'userId' | 'name'>> {
  const isOwn = and(eq(oidcStates.kind, kind), eq(oidcStates.hash, hashSecret(signInId)))
  const [begun] = await database.scoped(project.id, (tables) =>
    tables.select().from(oidcStates).where(isOwn),
  )
  const expired = new SignInError('The code has expired. Sign in again.', true)
  if (!begun) throw expired
  // Count attempts per user, because restarting the sign-in would otherwise allow more
  // guesses.
  const buckets = codeBuckets(project.id, (begun.payload as unknown as Challenge).userId)
  await identity.rateLimiter.take(buckets)
  const checked = await database.scoped(project.id, async (tables) => {
    const [row] = await tables.select().from(oidcStates).where(isOwn).for('update')
    if (!row || row.expiresAt <= options.now()) return expired
    const challenge = row.payload as unknown as Challenge
    if (isEqualSecret(challenge.codeHash, hashOf(signInId, code.trim()))) {
      await tables.delete(oidcStates).where(isOwn)
      await updateUser(tables, challenge.userId, { isMfaVerified: true })
      return challenge
    }
    const attempts = challenge.attempts + 1
    if (attempts >= maxAttempts) {
      await tables.delete(oidcStates).where(isOwn)
      return new SignInError('Too many wrong codes. Sign in again.', true)
    }
    const payload = { ...challenge, attempts }
    await tables.update(oidcStates).set({ payload }).where(isOwn)
    return new SignInError('The code is wrong.')
  })
  // Throw only now, because it would undo the count of attempts.
  if (checked instanceof SignInError) throw checked
  await identity.rateLimiter.refund(buckets)
  return checked
}

/**
 * Hashes a code with its sign-in id, because a short code alone could be guessed from its
 * hash.
 */
const hashOf = (signInId: string, code: string): string => hashSecret(`${signInId} ${code}`)
