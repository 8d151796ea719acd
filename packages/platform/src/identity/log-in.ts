import { sql } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import type { Project } from '../projects/project-directory.ts'
import { after, lock } from './lifetimes.ts'
import type { Passwords } from './passwords.ts'
import type { UserRow } from './user-record.ts'
import { findByName } from './users.ts'

/** What checking a password needs. */
export interface LogInParts {
  readonly database: Database
  readonly project: Project
  readonly passwords: Passwords
  readonly now: () => Date
}

/** Whose password it is, or why nobody signs in; the text is for the user. */
export type LoggedIn =
  | {
      readonly userId: string
      /** Where a code goes that has to come back first; undefined where none has to. */
      readonly codeTo: string | undefined
    }
  | { readonly status: 401 | 423; readonly fault: string }

const wrong = { status: 401, fault: 'The name or the password is wrong.' } as const
const locked = {
  status: 423,
  fault: `Too many attempts. Try again in ${lock.seconds / 60} minutes.`,
} as const

/**
 * Checks a name and a password. An attempt is counted before the password is
 * looked at, so that attempts at the same moment are not more than allowed; after
 * too many, nobody may try for a while, not even with the right password. Until
 * {@link noteLogIn} an attempt counts whatever came of it, so that codes cannot be
 * tried without end either.
 */
export async function logIn(
  { database, project, passwords, now }: LogInParts,
  name: string,
  password: string,
): Promise<LoggedIn> {
  const user = name.includes('\0')
    ? undefined
    : await database.scoped(project.id, (tables) => findByName(tables, name.trim()))
  if (!user) {
    await passwords.verify(undefined, password)
    return wrong
  }
  const isCounted = await database.scoped(project.id, async (tables) => {
    const count = sql`case when locked_until is null then failed_count + 1 else 1 end`
    const { rowCount } = await tables.execute(sql`
      update servicekit.users set failed_count = ${count}, locked_until =
        case when ${count} >= ${lock.failures} then ${after(now(), lock.seconds)}::timestamptz end
      where item_id = ${user.item_id} and (locked_until is null or locked_until <= ${now()})`)
    return rowCount === 1
  })
  if (!isCounted) return locked
  if (!(await passwords.verify(user.password_hash ?? undefined, password))) return wrong
  if (!user.active) return { status: 401, fault: 'This account is not active.' }
  if (!mayUsePassword(user)) return { status: 401, fault: 'This account signs in elsewhere.' }
  return { userId: user.item_id, codeTo: user.mfa_enabled ? recipientOf(user) : undefined }
}

/** Notes that a user is signed in; what was tried before is forgotten. */
export const noteLogIn = (
  { database, project, now }: Pick<LogInParts, 'database' | 'project' | 'now'>,
  userId: string,
  device: string,
): Promise<unknown> =>
  database.scoped(project.id, (tables) =>
    tables.execute(sql`
      update servicekit.users set failed_count = 0, locked_until = null,
        log_in_count = log_in_count + 1, last_logged_in_time = ${now()},
        last_logged_in_device_info = ${device}
      where item_id = ${userId}`),
  )

/** Codes of `allowedLogInType`: 1 password, 2 single sign-on, 3 authorization code. */
const withPassword = new Set([0, 1, 3])

const mayUsePassword = ({ allowed_log_in_type: types }: UserRow): boolean =>
  types.length === 0 || types.some((type) => withPassword.has(type))

/** Codes of `userMfaType`: 3 SMS and 4 WhatsApp go to a telephone. */
const recipientOf = ({ user_mfa_type: type, phone_number: phone, email }: UserRow): string =>
  (type === 3 || type === 4 ? phone : null) || email
