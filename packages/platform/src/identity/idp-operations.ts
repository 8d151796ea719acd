import { idp } from '@servicekit/contract'
import type { z } from 'zod'
import { type Answer, json } from '../http/answer.ts'
import type { Tables } from '../database/database.ts'
import { Forbidden } from '../http/authorize.ts'
import type { Call } from '../http/mount.ts'
import type { Project } from '../projects/project-directory.ts'
import { permissionsOf } from './access.ts'
import { activate } from './activate.ts'
import {
  administeredUsers,
  keepAdministrators,
  organizationsOf,
  requireAuthority,
  requireGrant,
  shownTo,
} from './authority.ts'
import { createUser } from './create-user.ts'
import { tooManyAttempts } from './attempts.ts'
import {
  defaultOrganizationId,
  ensureDefaultOrganization,
  memberDefaults,
  organizationIdOf,
} from './organizations.ts'
import { serveChecked } from './serve-checked.ts'
import { toAccount, toUser, type UserRow } from './user-record.ts'
import { findUser, listUsers, replaceAccess, replaceMemberships, updateUser } from './users.ts'

/** Operations of section 4.3. */
export const idpOperations = [
  serveChecked(idp.listUsers, (call) =>
    listOf(call, call.body, (row) => toUser(shownTo(call.caller, row))),
  ),
  serveChecked(idp.listAccounts, (call) =>
    listOf(call, call.body, (row) => toAccount(shownTo(call.caller, row))),
  ),
  serveChecked(idp.createUser, async ({ services, project, request, body, caller }) => {
    const created = await createUser(
      services,
      project,
      request,
      {
        email: body.email,
        userName: body.userName,
        password: body.password,
        organizationId: body.organizationId,
        memberships: body.memberships,
        mailPurpose: body.mailPurpose,
        columns: {
          language: body.language,
          salutation: body.salutation,
          first_name: body.firstName,
          last_name: body.lastName,
          phone_number: body.phoneNumber,
          tags: body.tags,
          user_pass_type: body.userPassType,
          user_creation_type: body.userCreationType,
          verified_type: body.varifiedType,
          user_mfa_type: body.userMfaType,
          platform: body.platform,
          profile_image_url: body.profileImageUrl,
          profile_image_id: body.profileImageId,
          mfa_enabled: body.mfaEnabled,
          allowed_log_in_type: body.allowedLogInType,
        },
      },
      caller,
    )
    if ('errors' in created) {
      return json({ isSuccess: false, itemId: null, errors: created.errors })
    }
    const { itemId, email, userName, firstName, lastName, active, isVarified, ...rest } = toAccount(
      created.user,
    )
    const { mfaEnabled, memberships } = rest
    const names = { itemId, email, userName, firstName, lastName }
    return json({ ...names, active, isVarified, mfaEnabled, memberships })
  }),
  serveChecked(idp.updateUser, updateOne, { userOf: ({ body }) => body.itemId }),
  serveChecked(
    idp.getUser,
    async ({ services, project, query, caller }) => {
      const user = await services.database.scoped(
        project.id,
        (tables) => findUser(tables, query.Id),
        { isReadOnly: true },
      )
      if (!user) return json({ data: null, errors: { Id: `There is no user ${query.Id}.` } })
      if (caller.userId !== query.Id) requireAuthority(caller, project, user, 'some')
      return json({ data: toUser(shownTo(caller, user)), errors: {} })
    },
    { userOf: ({ query }) => query.Id },
  ),
  serveChecked(idp.getAccount, async ({ services, project, caller }) => {
    const found = await services.database.scoped(
      project.id,
      async (tables) => {
        const user = (await findUser(tables, caller.userId!))!
        const data = toUser(user)
        return { data, permissions: await permissionsOf(tables, user) }
      },
      { isReadOnly: true },
    )
    return json({ ...found, errors: {} })
  }),
  serveChecked(idp.activate, async ({ services, project, body, sender }) => {
    const done = await activate(services, project, body, sender)
    if ('retryAfterSeconds' in done) return tooManyAttempts(done, services.options)
    if ('errors' in done) return json({ isSuccess: false, data: null, errors: done.errors })
    const { itemId, email, active, isVarified } = toAccount(done.user)
    return json({ isSuccess: true, data: { itemId, email, active, isVarified }, errors: {} })
  }),
]

/** Members that users may not change in their own account. */
const protectedOfOneself = [
  'roles',
  'permissions',
  'memberships',
  'mfaEnabled',
  'userMfaType',
] as const

async function updateOne(call: Call<typeof idp.updateUser>): Promise<Answer> {
  const { services, project, body, caller } = call
  const { itemId } = body
  const isOneself = caller.userId === itemId
  const member = protectedOfOneself.find((name) => body[name] !== null && body[name] !== undefined)
  if (isOneself && member !== undefined && caller.administered !== 'all') {
    throw new Forbidden(`Nobody may change ${member} of their own account.`)
  }
  const memberships = body.memberships?.map((one) => ({
    ...one,
    organizationId: organizationIdOf(project, one.organizationId),
  }))
  const user = await services.database.scoped(project.id, async (tables) => {
    if (memberships) await ensureDefaultOrganization(tables, project, services.options.now())
    const known = await findUser(tables, itemId)
    if (!known) return undefined
    if (!isOneself) {
      const isOfAccount = body.mfaEnabled ?? body.userMfaType
      const extent = isOfAccount === null || isOfAccount === undefined ? 'some' : 'every'
      requireAuthority(caller, project, known, extent)
    }
    for (const one of memberships ?? []) {
      if (!(await memberDefaults(tables, one.organizationId))) {
        return { unknown: one.organizationId }
      }
      await requireGrant(tables, caller, one, known.memberships)
    }
    const ids = [...organizationsOf(project, known), accessOf(known, project).organizationId]
    await keepAdministrators(tables, ids, async () => {
      await updateUser(tables, itemId, changedColumns(call))
      if (memberships) {
        await replaceMemberships(tables, project.id, itemId, memberships, caller.administered)
      }
      await replaceOwnAccess(tables, call, (await findUser(tables, itemId))!)
    })
    return findUser(tables, itemId)
  })
  if (!user || 'unknown' in user) {
    const errors: Record<string, string> = user
      ? { memberships: `There is no organization ${user.unknown}.` }
      : { itemId: `There is no user ${itemId}.` }
    return json({ isSuccess: false, itemId, data: null, errors })
  }
  const { salutation, firstName, lastName, phoneNumber, mfaEnabled, userMfaType } = toAccount(user)
  const own = accessOf(user, project)
  const changed = {
    itemId,
    salutation,
    firstName,
    lastName,
    phoneNumber,
    mfaEnabled,
    userMfaType,
  }
  const data = { ...changed, roles: own.roles, memberships: shownTo(caller, user).memberships }
  return json({ isSuccess: true, itemId, data, errors: {} })
}

const changedColumns = ({ services, body, caller }: Call<typeof idp.updateUser>) => ({
  salutation: body.salutation ?? undefined,
  first_name: body.firstName ?? undefined,
  last_name: body.lastName ?? undefined,
  phone_number: body.phoneNumber ?? undefined,
  tags: body.tags ?? undefined,
  profile_image_url: body.profileImageUrl ?? undefined,
  profile_image_id: body.profileImageId ?? undefined,
  user_mfa_type: body.userMfaType ?? undefined,
  mfa_enabled: body.mfaEnabled ?? undefined,
  last_updated_date: services.options.now(),
  last_updated_by: caller.id,
})

/** Replaces roles and permissions in the user's primary organization. */
async function replaceOwnAccess(
  tables: Tables,
  { project, body, caller }: Call<typeof idp.updateUser>,
  user: UserRow,
): Promise<void> {
  const { roles, permissions } = body
  if (!roles && !permissions) return
  const own = accessOf(user, project)
  const wanted = {
    organizationId: own.organizationId,
    roles: roles ?? own.roles,
    permissions: permissions ?? own.permissions,
  }
  await requireGrant(tables, caller, wanted, user.memberships)
  await replaceAccess(tables, project.id, user.item_id, wanted)
}

/** Returns the user's access in the user's primary organization. */
function accessOf({ memberships, organization_id }: UserRow, project: Project) {
  const organizationId = organization_id ?? defaultOrganizationId(project)
  const own = memberships.find((one) => one.organizationId === organizationId)
  return { organizationId, roles: own?.roles ?? [], permissions: own?.permissions ?? [] }
}

async function listOf(
  {
    services,
    project,
    refuse,
    caller,
  }: Pick<Call<typeof idp.listAccounts>, 'services' | 'project' | 'refuse' | 'caller'>,
  body: z.output<typeof idp.AccountsRequest>,
  toRecord: (row: UserRow) => unknown,
): Promise<Answer> {
  const filter = body.filter ?? {}
  const dates = { joinedOn: filter.joinedOn, lastLogin: filter.lastLogin }
  const bounds: { joinedOn?: Date; lastLogin?: Date } = {}
  for (const [name, text] of Object.entries(dates)) {
    if (!text) continue
    const date = new Date(text)
    if (Number.isNaN(date.getTime())) {
      const errors = { [`filter.${name}`]: [`filter.${name}: it is not a date and time`] }
      return refuse({ reason: 'invalid', errors })
    }
    bounds[name as keyof typeof bounds] = date
  }
  const wanted = {
    email: filter.email,
    name: filter.name,
    userIds: filter.userIds,
    organizationId: filter.organizationId && organizationIdOf(project, filter.organizationId),
    active: eitherOf(filter.status?.active, filter.status?.inactive),
    mfa: eitherOf(filter.mfa?.enabled, filter.mfa?.disabled),
    ...bounds,
    visible: administeredUsers(project, caller),
  }
  const { rows, totalCount } = await services.database.scoped(
    project.id,
    (tables) => listUsers(tables, wanted, { ...body, first: 1 }),
    { isReadOnly: true },
  )
  return json({ data: rows.map(toRecord), errors: {}, totalCount })
}

/** Combines two opposite filters; both or neither mean no filter. */
const eitherOf = (
  yes: boolean | null | undefined,
  no: boolean | null | undefined,
): boolean | undefined => (yes === no || (!yes && !no) ? undefined : yes === true)
