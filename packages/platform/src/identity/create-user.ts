import type { Project } from '../projects/project-directory.ts'
import { stringProblem } from '../projects/storable.ts'
import type { Services } from '../services.ts'
import { ownAddress } from '../http/address.ts'
import { requireAdministrator, requireGrant } from './authority.ts'
import type { Caller } from './caller.ts'
import { issuerPath } from './identity.ts'
import { after, lifetimes } from './lifetimes.ts'
import { sendMail } from './mails.ts'
import { ensureDefaultOrganization, memberDefaults, organizationIdOf } from './organizations.ts'
import { passwordProblem } from './passwords.ts'
import { createSecret, hashSecret } from './secrets.ts'
import { readSettings } from './settings.ts'
import { oneTimeCodes } from './tables.ts'
import { editableOf, findUser, insertUser, type Membership, type User } from './users.ts'

/** Request of either route family to create a user, with any editable members. */
export interface UserRequest extends Readonly<Record<string, unknown>> {
  readonly email: string
  readonly userName: string
  /** Empty to invite the user to choose one. */
  readonly password: string
  readonly organizationId?: string | null | undefined
  readonly memberships?: readonly Membership[] | null | undefined
  readonly roles?: readonly string[] | null | undefined
  readonly permissions?: readonly string[] | null | undefined
  readonly mailPurpose?: string | null | undefined
}

type Created = { readonly user: User } | { readonly errors: Readonly<Record<string, string>> }

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
  services: Services,
  project: Project,
  request: Request,
  user: UserRequest,
  caller: Caller,
): Promise<Created> {
  const { database, options } = services
  const errors = errorsOf(user)
  if (errors) return { errors }
  const { passwords } = services.identity
  const isInvited = user.password === ''
  const passwordHash = isInvited ? null : await passwords.hash(user.password)
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

    const code = createSecret()
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
      recipient: user.email,
      purpose: user.mailPurpose || (isInvited ? 'Invitation' : 'AccountCreated'),
      subject: `Your account for ${project.name}`,
      body: `Choose a password to use your account for ${project.name}:\n\n${link.href}\n`,
      code,
      link: link.href,
    }
    await sendMail(tables, project.id, mail, options)
    return { user: (await findUser(tables, itemId))! }
  })
}

const noOrganization = (id: string): Created => ({
  errors: { organizationId: `There is no organization ${id}.` },
})

function errorsOf({ email, userName, password }: UserRequest): Record<string, string> | undefined {
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || stringProblem(email)) {
    return { email: 'It must be an e-mail address.' }
  }
  if (stringProblem(userName)) return { userName: `It ${stringProblem(userName)}.` }
  const problem = password === '' ? undefined : passwordProblem(password)
  return problem ? { password: problem } : undefined
}
