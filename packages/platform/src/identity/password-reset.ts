import { setTimeout as delay } from 'node:timers/promises'
import { setActor } from '../database/actor.ts'
import { scopesOf } from '../database/database.ts'
import { oidcStates } from '../database/tables.ts'
import type { Call } from '../http/mount.ts'
import { activationBucket, resetBuckets } from './attempts.ts'
import { after, lifetimes } from './lifetimes.ts'
import { sendMail } from './mails.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { findState, isState, saveState } from './sessions.ts'
import { mayUsePassword } from './sign-in.ts'
import { findAccount, findUser, updateUser } from './users.ts'
import { createSecret } from '../secrets.ts'

type Visitor = Pick<Call, 'services' | 'project' | 'sender'>

const kind = 'PasswordReset'
/** Minimum time of a request in ms, because only existing accounts require writes. */
const requestMs = 300

/**
 * Sends a mail with a link to `page` to the active user with this name or address. Without
 * one, it returns in the same way.
 *
 * @throws TooManyRequestsError
 */
export async function requestReset(
  { services, project, sender }: Visitor,
  givenName: string,
  page: string,
): Promise<void> {
  const { database, identity, options } = services
  const { user, key } = await findAccount(database.unscoped, project.id, givenName)
  await identity.rateLimiter.take(resetBuckets(project.id, key, sender))
  const sent = database.scoped(project.id, async (tables) => {
    if (!user?.active || !mayUsePassword(user)) return
    const code = createSecret()
    await saveState(tables, project.id, kind, code, {
      payload: {},
      // With `accountId`, it is deleted together with the user's sessions.
      accountId: user.itemId,
      expiresAt: after(options.now(), lifetimes.reset),
    })
    const link = `${page}?${new URLSearchParams({ code })}`
    const mail = {
      recipient: user.email,
      purpose: 'PasswordReset',
      subject: `Your password for ${project.name}`,
      body: `Choose a new password for ${project.name}:\n\n${link}\n`,
      code,
      link,
    }
    await sendMail(tables, project.id, mail, services)
  })
  await Promise.all([sent, delay(requestMs)])
}

/**
 * Sets the password of the user of a code, which is valid once, and ends all sessions.
 *
 * @returns why it was not set; undefined if it was.
 * @throws TooManyRequestsError after too many wrong codes.
 */
export async function resetPassword(
  { services, project, sender }: Visitor,
  code: string,
  password: string,
): Promise<string | undefined> {
  const { database, identity, options } = services
  const problem = passwordProblem(password)
  if (problem) return problem
  const invalid = 'The link was already used, or has expired. Request a new one.'
  // Hash only for an existing code, because hashing is slow.
  const known = await identity.rateLimiter.guess(
    [activationBucket(project.id, sender)],
    scopesOf(database, project.id).transaction,
    (tables) => findState(tables, kind, code),
  )
  if (!known) return invalid
  const userId = known.accountId!
  const passwordHash = await hashPassword(password)
  setActor({ actor: `user:${userId}` })
  return database.scoped(project.id, async (tables) => {
    const now = options.now()
    const [taken] = await tables.delete(oidcStates).where(isState(kind, code)).returning()
    const user = await findUser(tables, userId)
    if (!taken || taken.expiresAt <= now || !user?.active || !mayUsePassword(user)) return invalid
    // The link has verified the address, as an invitation does.
    const changes = { passwordHash, isVerified: true, lastUpdatedDate: now, lastUpdatedBy: userId }
    await updateUser(tables, userId, changes, now)
    const mail = {
      recipient: user.email,
      purpose: 'PasswordChanged',
      subject: `Your password for ${project.name} was changed`,
      body: `The password of ${user.userName} for ${project.name} was changed.\n`,
    }
    await sendMail(tables, project.id, mail, services)
    return undefined
  })
}
