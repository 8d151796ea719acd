import { eq, sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import type { RateLimiter } from '../http/rate-limiter.ts'
import type { TooManyRequests } from '../http/refusals.ts'
import { passwordBuckets } from './attempts.ts'
import type { Passwords } from './passwords.ts'
import { users } from './tables.ts'
import { findByName, type User } from './users.ts'

/** Dependencies of a password check. */
export interface LogInParts {
  readonly database: Database
  readonly project: Project
  readonly passwords: Passwords
  readonly rateLimiter: RateLimiter
  readonly now: () => Date
}

/** User with a correct password, or the reason for the failure, as a message for the user. */
export type LoggedIn =
  | {
      readonly userId: string
      /** Recipient of the second-factor code; undefined if none is required. */
      readonly codeTo: string | undefined
    }
  | { readonly status: 401; readonly fault: string }
  | TooManyRequests

const wrong = { status: 401, fault: 'The name or the password is wrong.' } as const

/**
 * Checks a name and a password. Until {@link noteLogIn} the attempt counts as failed, so
 * that second-factor codes are rate-limited too.
 */
export async function logIn(
  { database, project, passwords, rateLimiter }: LogInParts,
  name: string,
  password: string,
  sender: string,
): Promise<LoggedIn> {
  const refused = await rateLimiter.take(passwordBuckets(project.id, name, sender))
  if (refused) return refused
  const user = name.includes('\0')
    ? undefined
    : await database.scoped(project.id, (tables) => findByName(tables, name.trim()))
  if (!(await passwords.verify(user?.passwordHash ?? undefined, password)) || !user) return wrong
  if (!user.active) return { status: 401, fault: 'This account is not active.' }
  if (!mayUsePassword(user)) return { status: 401, fault: 'This account signs in elsewhere.' }
  return { userId: user.itemId, codeTo: user.mfaEnabled ? recipientOf(user) : undefined }
}

/** Records a successful sign-in, and resets the failed attempts for the given name. */
export async function noteLogIn(
  { database, project, now, rateLimiter }: Omit<LogInParts, 'passwords'>,
  userId: string,
  name: string,
  { device, sender }: { readonly device: string; readonly sender: string },
): Promise<void> {
  await rateLimiter.refund(passwordBuckets(project.id, name, sender))
  await database.scoped(project.id, (tables) =>
    tables
      .update(users)
      .set({
        logInCount: sql`${users.logInCount} + 1`,
        lastLoggedInTime: now(),
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
