import { eq, sql } from 'drizzle-orm'
import { randomInt } from 'node:crypto'
import type { Call } from '../http/mount.ts'
import { codeBucket, passwordBuckets } from './attempts.ts'
import { oidcStates, users } from '../database/tables.ts'
import { type SignInUser, findAccount, updateUser } from './users.ts'
import { after, lifetimes } from './lifetimes.ts'
import { sendMail } from './mails.ts'
import { verifyPassword } from './passwords.ts'
import { isEqualSecret } from '@servicekit/core/node'
import { findState, isState, saveState } from './sessions.ts'
import { hashSecret } from '../secrets.ts'

type Visitor = Pick<Call, 'services' | 'project' | 'request' | 'sender'>

/** Thrown when a sign-in fails, with a message for the user. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  /** True if the sign-in must be started again. */
  readonly isOver: boolean

  constructor(message: string, isOver = false) {
    super(message)
    this.isOver = isOver
  }
}

/**
 * Checks a name and a password. Until {@link recordLogIn} the attempt counts as failed, so
 * that second-factor codes are rate-limited too.
 *
 * @returns `codeTo`, the recipient of the second-factor code if one is required.
 * @throws SignInError, TooManyRequestsError
 */
export async function logIn(
  { services, project, sender }: Visitor,
  givenName: string,
  password: string,
) {
  const { database, identity } = services
  const { user, key } = await findAccount(database.unscoped, project.id, givenName)
  await identity.rateLimiter.take(passwordBuckets(project.id, key, sender))
  if (!(await verifyPassword(user?.passwordHash, password)) || !user) {
    throw new SignInError('The name or the password is wrong.')
  }
  if (!user.active) throw new SignInError('This account is not active.')
  if (!mayUsePassword(user)) throw new SignInError('This account signs in elsewhere.')
  return { userId: user.itemId, codeTo: user.mfaEnabled ? recipientOf(user) : undefined }
}

/** Records a successful sign-in, and resets the failed attempts for the account. */
export async function recordLogIn(
  { services, project, request, sender }: Visitor,
  userId: string,
): Promise<void> {
  const { database, identity, options } = services
  await identity.rateLimiter.refund(passwordBuckets(project.id, { userId }, sender))
  await database.scoped(project.id, (tables) =>
    tables
      .update(users)
      .set({
        logInCount: sql`${users.logInCount} + 1`,
        lastLoggedInTime: options.now(),
        lastLoggedInDeviceInfo: (request.headers.get('user-agent') ?? '').slice(0, 200),
      })
      .where(eq(users.itemId, userId)),
  )
}

/** Values of `allowedLogInType`: 1 password, 2 single sign-on, 3 authorization code. */
const withPassword = new Set([0, 1, 3])

export const mayUsePassword = ({ allowedLogInType: types }: SignInUser): boolean =>
  types.length === 0 || types.some((type) => withPassword.has(type))

/** Returns the recipient for a `userMfaType`: 3 (SMS) and 4 (WhatsApp) use the phone number. */
const recipientOf = ({ userMfaType, phoneNumber, email }: SignInUser): string =>
  (userMfaType === 3 || userMfaType === 4 ? phoneNumber : null) || email

interface Challenge extends Record<string, unknown> {
  readonly userId: string
  readonly codeHash: string
  readonly attempts: number
}

const kind = 'SecondFactor'
const digits = 6
const maxAttempts = 5

/** Sends a code for a sign-in; invalidates an earlier one. */
export async function sendCode(
  { services, project }: Visitor,
  signInId: string,
  userId: string,
  recipient: string,
): Promise<void> {
  const { database, options } = services
  const code = String(randomInt(10 ** digits)).padStart(digits, '0')
  const payload: Challenge = { userId, codeHash: hashOf(signInId, code), attempts: 0 }
  // With `accountId`, it is deleted together with the user's sessions.
  const expiresAt = after(options.now(), lifetimes.flow)
  const values = { payload, accountId: userId, expiresAt }
  await database.scoped(project.id, async (tables) => {
    await saveState(tables, project.id, kind, signInId, values)
    const mail = {
      recipient,
      purpose: 'SecondFactor',
      subject: `Your code for ${project.name}`,
      body: `${code} is your code to sign in to ${project.name}.\n`,
      code,
    }
    await sendMail(tables, project.id, mail, services)
  })
}

/** Checks a code, which is valid once. @throws SignInError, TooManyRequestsError */
export async function checkCode({ services, project }: Visitor, signInId: string, code: string) {
  const { database, options, identity } = services
  const isOwn = isState(kind, signInId)
  const begun = await database.scoped(project.id, (tables) => findState(tables, kind, signInId))
  const expired = new SignInError('The code has expired. Sign in again.', true)
  if (!begun) throw expired
  // Count attempts per user, because restarting the sign-in would otherwise allow more guesses.
  const buckets = [codeBucket(project.id, (begun.payload as Challenge).userId)]
  await identity.rateLimiter.take(buckets)
  const checked = await database.scoped(project.id, async (tables) => {
    const [row] = await tables.select().from(oidcStates).where(isOwn).for('update')
    if (!row || row.expiresAt <= options.now()) return expired
    const challenge = row.payload as Challenge
    if (isEqualSecret(challenge.codeHash, hashOf(signInId, code.trim()))) {
      await tables.delete(oidcStates).where(isOwn)
      await updateUser(tables, challenge.userId, { isMfaVerified: true }, options.now())
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

/** Hashes a code with its sign-in id; a short code alone could be guessed from its hash. */
const hashOf = (signInId: string, code: string): string => hashSecret(`${signInId} ${code}`)
