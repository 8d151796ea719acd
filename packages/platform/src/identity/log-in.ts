import { eq, sql } from 'drizzle-orm'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { passwordBuckets } from './attempts.ts'
import { users } from './tables.ts'
import { findByName, type User } from './users.ts'

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

/** User with a correct password. */
export interface LoggedIn {
  readonly userId: string
  /** Recipient of the second-factor code; undefined if none is required. */
  readonly codeTo: string | undefined
}

/**
 * Checks a name and a password. Until {@link recordLogIn} the attempt counts as failed, so
 * that second-factor codes are rate-limited too.
 *
 * @throws SignInError, TooManyRequestsError
 */
export async function logIn(
  { database, identity }: Services,
  project: Project,
  name: string,
  password: string,
  sender: string,
): Promise<LoggedIn> {
  await identity.rateLimiter.take(passwordBuckets(project.id, name, sender))
  const user = name.includes('\0')
    ? undefined
    : await database.scoped(project.id, (tables) => findByName(tables, name.trim()))
  if (!(await identity.passwords.verify(user?.passwordHash ?? undefined, password)) || !user) {
    throw new SignInError('The name or the password is wrong.')
  }
  if (!user.active) throw new SignInError('This account is not active.')
  if (!mayUsePassword(user)) throw new SignInError('This account signs in elsewhere.')
  return { userId: user.itemId, codeTo: user.mfaEnabled ? recipientOf(user) : undefined }
}

/** Records a successful sign-in, and resets the failed attempts for the given name. */
export async function recordLogIn(
  { database, identity, options }: Services,
  project: Project,
  userId: string,
  name: string,
  { device, sender }: { readonly device: string; readonly sender: string },
): Promise<void> {
  await identity.rateLimiter.refund(passwordBuckets(project.id, name, sender))
  await database.scoped(project.id, (tables) =>
    tables
      .update(users)
      .set({
        logInCount: sql`${users.logInCount} + 1`,
        lastLoggedInTime: options.now(),
        lastLoggedInDeviceInfo: device,
      })
      .where(eq(users.itemId, userId)),
  )
}

/** Values of `allowedLogInType`: 1 password, 2 single sign-on, 3 authorization code. */
const withPassword = new Set([0, 1, 3])

const mayUsePassword = ({ allowedLogInType: types }: User): boolean =>
  types.length === 0 || types.some((type) => withPassword.has(type))

/** Returns the recipient for a `userMfaType`: 3 (SMS) and 4 (WhatsApp) use the phone number. */
const recipientOf = ({ userMfaType, phoneNumber, email }: User): string =>
  (userMfaType === 3 || userMfaType === 4 ? phoneNumber : null) || email
