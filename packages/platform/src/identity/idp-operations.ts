import { idp } from '@servicekit/contract'
import type { z } from 'zod'
import { json, notSaved, rejection, saved, success } from '../http/responses.ts'
import { RejectedRequest } from '../http/rejected-request.ts'
import { type Call, implementStorable } from '../http/mount.ts'
import type { Project } from '../database/project-directory.ts'
import { activate, createUser } from './accounts.ts'
import {
  keepAdministrators,
  listVisible,
  organizationsOf,
  requireAuthority,
  requireGrant,
  requireOther,
  visibleTo,
} from './authority.ts'
import {
  defaultOrganizationId,
  ensureDefaultOrganization,
  memberDefaults,
  organizationIdOf,
} from './organizations.ts'
import { permissionsOf } from './roles.ts'
import {
  editableOf,
  findUser,
  recordOf,
  replaceAccess,
  replaceMemberships,
  toAccount,
  toUser,
  updateUser,
  type User,
} from './users.ts'
import { toInstant } from '@servicekit/core'

const activatedData = idp.UserActivated.shape.data.unwrap().unwrap()
const updatedData = idp.UserUpdated.shape.data.unwrap().unwrap()

/** Operations of section 4.3. */
export const idpOperations = [
  implementStorable(idp.listUsers, (call) => listRecords(call, call.body, toUser)),
  implementStorable(idp.listAccounts, (call) => listRecords(call, call.body, toAccount)),
  implementStorable(idp.createUser, async (call) => {
    // The interface spells it this way.
    const user = { ...call.body, verifiedType: call.body.varifiedType }
    const created = await createUser(call, user)
    if ('errors' in created) return notSaved(created.errors)
    return json(recordOf(created.user, idp.UserCreated))
  }),
  implementStorable(idp.updateUser, updateOne, { userOf: ({ body }) => body.itemId }),
  implementStorable(
    idp.getUser,
    async ({ project, query, caller, snapshot }) => {
      const user = await snapshot((tables) => findUser(tables, query.Id))
      if (!user) return json({ data: null, errors: { Id: `There is no user ${query.Id}.` } })
      if (caller.userId !== query.Id) requireAuthority(caller, project, user, 'some')
      return success({ data: toUser(visibleTo(caller, user)) })
    },
    { userOf: ({ query }) => query.Id },
  ),
  implementStorable(idp.getAccount, ({ caller, snapshot }) =>
    snapshot(async (tables) => {
      const user = await findUser(tables, caller.userId ?? '')
      if (!user) return rejection(404, 'The caller has no account.')
      return success({ data: toUser(user), permissions: await permissionsOf(tables, user) })
    }),
  ),
  implementStorable(idp.activate, async (call) => {
    const done = await activate(call, call.body)
    if ('errors' in done) return notSaved(done.errors, { data: null })
    return success({ isSuccess: true, data: recordOf(done.user, activatedData) })
  }),
]

/** Members that users may not change in their own account. */
const adminOnly = ['roles', 'permissions', 'memberships', 'mfaEnabled', 'userMfaType'] as const

async function updateOne(call: Call<typeof idp.updateUser>): Promise<Response> {
  const { services, project, request, body, caller, transaction } = call
  const { itemId } = body
  const now = services.options.now()
  const isOneself = caller.userId === itemId
  const member = adminOnly.find((name) => body[name] != null)
  if (member !== undefined) requireOther(caller, itemId, member)
  const memberships = body.memberships?.map((one) => ({
    ...one,
    organizationId: organizationIdOf(project, one.organizationId),
  }))
  const updated = await transaction(async (tables) => {
    if (memberships) await ensureDefaultOrganization(tables, project, now)
    const known = await findUser(tables, itemId, true)
    if (!known) return { errors: { itemId: `There is no user ${itemId}.` } }
    const version = request.headers.get('if-match')
    if (version !== null && version !== `"${known.lastUpdatedDate.toISOString()}"`) {
      return { errors: { lastUpdatedDate: 'Someone else has changed the user. Read it again.' } }
    }
    if (!isOneself) {
      // The second factor concerns the account in all its organizations.
      const extent = (body.mfaEnabled ?? body.userMfaType) == null ? 'some' : 'every'
      requireAuthority(caller, project, known, extent)
    }
    for (const one of memberships ?? []) {
      if (!(await memberDefaults(tables, one.organizationId))) {
        return { errors: { memberships: `There is no organization ${one.organizationId}.` } }
      }
      await requireGrant(tables, caller, one, known.memberships)
    }
    const ids = [...organizationsOf(project, known), accessOf(known, project).organizationId]
    await keepAdministrators(tables, caller, ids, async () => {
      const changes = { ...editableOf(body), lastUpdatedDate: now, lastUpdatedBy: caller.id }
      await updateUser(tables, itemId, changes, now)
      if (memberships) {
        await replaceMemberships(tables, project.id, itemId, memberships, caller.administered)
      }
      if (!body.roles && !body.permissions) return
      const user = (await findUser(tables, itemId))!
      const own = accessOf(user, project)
      const wanted = {
        organizationId: own.organizationId,
        roles: body.roles ?? own.roles,
        permissions: body.permissions ?? own.permissions,
      }
      await requireGrant(tables, caller, wanted, user.memberships)
      await replaceAccess(tables, project.id, itemId, wanted)
    })
    return { user: (await findUser(tables, itemId))! }
  })
  if (updated.errors) return notSaved(updated.errors, { itemId, data: null })
  const user = visibleTo(caller, updated.user)
  const { roles } = accessOf(user, project)
  return saved(itemId, { data: { ...recordOf(user, updatedData), roles } })
}

/** Returns the user's access in the user's primary organization. */
function accessOf(user: User, project: Project) {
  const organizationId = user.organizationId ?? defaultOrganizationId(project)
  const own = user.memberships.find((one) => one.organizationId === organizationId)
  return { organizationId, roles: own?.roles ?? [], permissions: own?.permissions ?? [] }
}

async function listRecords(
  call: Pick<Call<typeof idp.listAccounts>, 'project' | 'caller' | 'snapshot'>,
  body: z.output<typeof idp.AccountsRequest>,
  toRecord: (user: User) => unknown,
): Promise<Response> {
  const { joinedOn, lastLogin, status, mfa, ...filter } = body.filter ?? {}
  const bounds = Object.entries({ joinedOn, lastLogin }).flatMap(([name, text]) => {
    if (!text) return []
    const instant = toInstant(text)
    if (instant !== undefined) return [[name, new Date(instant)] as const]
    const errors = { [`filter.${name}`]: [`filter.${name}: must be an ISO 8601 date and time`] }
    throw new RejectedRequest({ reason: 'invalid', errors })
  })
  const wanted = {
    ...filter,
    ...Object.fromEntries(bounds),
    active: eitherOf(status?.active, status?.inactive),
    mfa: eitherOf(mfa?.enabled, mfa?.disabled),
  }
  return listVisible(call, wanted, { ...body, first: 1 }, toRecord)
}

/** Combines two opposite filters; both or neither mean no filter. */
const eitherOf = (
  yes: boolean | null | undefined,
  no: boolean | null | undefined,
): boolean | undefined => (!yes === !no ? undefined : yes === true)
