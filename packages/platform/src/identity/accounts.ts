import { stringProblem } from '@servicekit/core'
import type { auth, iam, idp } from '@servicekit/contract'
import { eq } from 'drizzle-orm'
import { ownAddress } from '../http/address.ts'
import type { Call } from '../http/mount.ts'
import { activationBucket } from './attempts.ts'
import { requireAdministrator, requireGrant } from './authority.ts'
import type { Caller } from '../http/caller.ts'
import { issuerPath } from './identity.ts'
import { after, lifetimes } from './lifetimes.ts'
import { sendMail } from './mails.ts'
import { ensureDefaultOrganization, memberDefaults, organizationIdOf } from './organizations.ts'
import { hashPassword, passwordProblem } from './passwords.ts'
import { readSettings } from './settings.ts'
import { scopesOf, type Tables } from '../database/database.ts'
import { oneTimeCodes } from '../database/tables.ts'
import {
  editableOf,
  findUser,
  insertUser,
  type Membership,
  updateUser,
  type User,
} from './users.ts'
import { createSecret, hashSecret } from '../secrets.ts'

/**
 * Request of either route family. The user name is the address by default. Without a password,
 * the user is invited to choose one.
 */
type UserRequest = Omit<idp.CreateUser, 'userName' | 'password'> &
  Pick<iam.IamCreateUser, 'userName' | 'password' | 'roles' | 'permissions'>

/** Created or activated user, or errors by member of the request. */
type UserResult = { readonly user: User } | { readonly errors: Readonly<Record<string, string>> }

/**
 * Creates a user. With a password, the user is active but not verified; without one, the
 * user must activate the account. In both cases the user receives a mail with a one-time
 * code, which verifies the address (section 3).
 *
 * @throws Forbidden for an organization that the caller does not administer, and for
 * roles and permissions that the caller lacks. The default roles and permissions of an
 * organization are exempt.
 */
export async function createUser(
  call: Pick<Call, 'services' | 'project' | 'request'> & { readonly caller: Caller },
  given: UserRequest,
): Promise<UserResult> {
  const { services, project, caller } = call
  const user = { ...given, userName: given.userName || given.email, password: given.password ?? '' }
  const { database, options } = services
  const errors = errorsOf(user)
  if (errors) return { errors }
  const isInvited = user.password === ''
  const passwordHash = isInvited ? null : await hashPassword(user.password)
  const itemId = options.newId()
  const organizationId = organizationIdOf(project, user.organizationId)
  return database.scoped(project.id, async (tables) => {
    await ensureDefaultOrganization(tables, project, options.now())
    const memberships: Membership[] = []
    if (user.organizationId || user.memberships?.length === 0) {
      if (!(await memberDefaults(tables, organizationId))) return noOrganization(organizationId)
      requireAdministrator(caller, organizationId)
    }
    for (const one of user.memberships ?? [{ organizationId, roles: null, permissions: null }]) {
      const id = organizationIdOf(project, one.organizationId)
      const defaults = await memberDefaults(tables, id)
      if (!defaults) return noOrganization(id)
      const roles = one.roles ?? user.roles
      const permissions = one.permissions ?? user.permissions
      await requireGrant(tables, caller, {
        organizationId: id,
        roles: roles ?? [],
        permissions: permissions ?? [],
      })
      memberships.push({
        organizationId: id,
        roles: roles ?? defaults.roles,
        permissions: permissions ?? defaults.permissions,
      })
    }
    const taken = await insertUser(
      tables,
      project.id,
      {
        ...editableOf(user),
        itemId,
        email: user.email,
        userName: user.userName,
        passwordHash,
        active: !isInvited,
        isVerified: false,
        organizationId: user.organizationId
          ? organizationId
          : (memberships[0]?.organizationId ?? organizationId),
        memberships,
      },
      options.now(),
      caller.id,
    )
    if (taken) return { errors: { [taken]: 'It is already taken by another user.' } }

    const purpose = isInvited ? 'Invitation' : 'AccountCreated'
    await sendInvitation(tables, call, { ...user, itemId }, user.mailPurpose || purpose)
    return { user: (await findUser(tables, itemId))! }
  })
}

/** Sends a mail with a link at which the user chooses a password; earlier links become invalid. */
export async function sendInvitation(
  tables: Tables,
  { services, project, request }: Pick<Call, 'services' | 'project' | 'request'>,
  { itemId, email }: Pick<User, 'itemId' | 'email'>,
  purpose: string,
): Promise<void> {
  const { options } = services
  const code = createSecret()
  await tables.delete(oneTimeCodes).where(eq(oneTimeCodes.userId, itemId))
  await tables.insert(oneTimeCodes).values({
    projectId: project.id,
    hash: hashSecret(code),
    userId: itemId,
    expiresAt: after(options.now(), lifetimes.invitation),
  })
  const { activationUrl } = await readSettings(tables)
  const ownPage = `${ownAddress(options, request).origin}${issuerPath(project.key)}/activate`
  const link = new URL(activationUrl ?? ownPage)
  link.searchParams.set('code', code)
  const mail = {
    recipient: email,
    purpose,
    subject: `Your account for ${project.name}`,
    body: `Choose a password to use your account for ${project.name}:\n\n${link.href}\n`,
    code,
    link: link.href,
  }
  await sendMail(tables, project.id, mail, services)
}

const noOrganization = (id: string): UserResult => ({
  errors: { organizationId: `There is no organization ${id}.` },
})

function errorsOf({
  email,
  userName,
  password,
}: Pick<idp.CreateUser, 'email' | 'userName' | 'password'>): Record<string, string> | undefined {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || stringProblem(email)) {
    return { email: 'It must be an e-mail address.' }
  }
  if (stringProblem(userName)) return { userName: `It ${stringProblem(userName)}.` }
  const problem = password === '' ? undefined : passwordProblem(password)
  return problem ? { password: problem } : undefined
}

type Activation = auth.ActivateAccount & Partial<idp.ActivateUser>

/**
 * Activates the account of a one-time code, and sets its password (section 3). The code
 * is valid once.
 *
 * @throws TooManyRequestsError after too many wrong codes.
 */
export async function activate(
  { services, project, sender }: Pick<Call, 'services' | 'project' | 'sender'>,
  { code, password, firstName, lastName, preventPostEvent, mailPurpose }: Activation,
): Promise<UserResult> {
  const { database, identity, options } = services
  const problem = passwordProblem(password)
  if (problem) return { errors: { password: problem } }
  const isCode = eq(oneTimeCodes.hash, hashSecret(code))
  const invalid = { errors: { code: 'The code is wrong, was already used, or has expired.' } }
  // Hash only for an existing code, because hashing is slow.
  const known = await identity.rateLimiter.guess(
    [activationBucket(project.id, sender)],
    scopesOf(database, project.id).transaction,
    async (tables) => (await tables.select().from(oneTimeCodes).where(isCode))[0],
  )
  if (!known) return invalid
  const passwordHash = await hashPassword(password)
  return database.scoped(project.id, async (tables) => {
    const [taken] = await tables.delete(oneTimeCodes).where(isCode).returning()
    if (!taken || taken.expiresAt <= options.now()) return invalid
    const now = options.now()
    const changes = {
      passwordHash,
      active: true,
      isVerified: true,
      firstName: firstName ?? undefined,
      lastName: lastName ?? undefined,
      lastUpdatedDate: now,
    }
    await updateUser(tables, taken.userId, changes, now)
    const user = await findUser(tables, taken.userId)
    if (!user) return invalid
    if (!preventPostEvent) {
      const mail = {
        recipient: user.email,
        purpose: mailPurpose || 'AccountActivated',
        subject: `Your account for ${project.name} is active`,
        body: `You can sign in as ${user.userName} from now on.\n`,
      }
      await sendMail(tables, project.id, mail, services)
    }
    return { user }
  })
}
