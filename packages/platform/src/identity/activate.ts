import type { auth, idp } from '@servicekit/contract'
import { eq } from 'drizzle-orm'
import type { Project } from '../projects/project-directory.ts'
import type { Services } from '../services.ts'
import { activationBuckets } from './attempts.ts'
import { sendMail } from './mails.ts'
import { passwordProblem } from './passwords.ts'
import { hashSecret } from './secrets.ts'
import { oneTimeCodes } from './tables.ts'
import { findUser, updateUser, type User } from './users.ts'

/** Activation request of either route family. */
export type Activation = auth.ActivateAccount & Partial<idp.ActivateUser>

type Activated = { readonly user: User } | { readonly errors: Readonly<Record<string, string>> }

/**
 * Activates the account of a one-time code, and sets its password (section 3). The code
 * is valid once.
 *
 * @throws TooManyRequestsError after too many wrong codes.
 */
export async function activate(
  { database, identity, options }: Services,
  project: Project,
  { code, password, firstName, lastName, preventPostEvent, mailPurpose }: Activation,
  sender: string,
): Promise<Activated> {
  const problem = passwordProblem(password)
  if (problem) return { errors: { password: problem } }
  const { passwords, rateLimiter } = identity
  const isCode = eq(oneTimeCodes.hash, hashSecret(code))
  const invalid = { errors: { code: 'The code is wrong, was already used, or has expired.' } }
  // Hash only for an existing code, because hashing is slow.
  const known = await rateLimiter.takeOnFailure(
    activationBuckets(project.id, sender),
    () => database.scoped(project.id, (tables) => tables.select().from(oneTimeCodes).where(isCode)),
    (rows) => rows.length === 0,
  )
  if (known.length === 0) return invalid
  const passwordHash = await passwords.hash(password)
  return database.scoped(project.id, async (tables) => {
    const [taken] = await tables.delete(oneTimeCodes).where(isCode).returning()
    if (!taken || taken.expiresAt <= options.now()) return invalid
    await updateUser(tables, taken.userId, {
      passwordHash,
      active: true,
      isVerified: true,
      firstName: firstName ?? undefined,
      lastName: lastName ?? undefined,
      lastUpdatedDate: options.now(),
    })
    const user = await findUser(tables, taken.userId)
    if (!user) return invalid
    if (!preventPostEvent) {
      const mail = {
        recipient: user.email,
        purpose: mailPurpose || 'AccountActivated',
        subject: `Your account for ${project.name} is active`,
        body: `You can sign in as ${user.userName} from now on.\n`,
      }
      await sendMail(tables, project.id, mail, options)
    }
    return { user }
  })
}
