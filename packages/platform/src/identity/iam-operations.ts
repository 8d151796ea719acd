import { iam } from '@servicekit/contract'
import type { Operation } from '@servicekit/contract'
import { type Answer, json } from '../http/answer.ts'
import type { Call, Served, ServeOptions } from '../http/mount.ts'
import { rejection } from '../http/refusals.ts'
import { listPermissions, listRoles } from './access.ts'
import {
  administeredUsers,
  keepAdministrators,
  organizationsOf,
  requireAuthority,
  requireGrant,
  shownTo,
} from './authority.ts'
import { createUser } from './create-user.ts'
import {
  defaultOrganizationId,
  listOrganizations,
  organizationIdOf,
  saveOrganization,
} from './organizations.ts'
import { serveChecked } from './serve-checked.ts'
import { endSessionsOf } from './sessions.ts'
import { oneTimeCodes } from './tables.ts'
import { eq } from 'drizzle-orm'
import { defaultAdministratorRoles, readSettings } from './settings.ts'
import { toUser, toUserIn } from './user-record.ts'
import { findUser, listUsers, replaceAccess, updateUser } from './users.ts'

const noUser = (id: string): Answer => rejection(404, `There is no user ${id}.`)

/** Operations of section 4.2. */
export const iamOperations = [
  serveMembers(iam.getMe, async ({ services, project, caller }) => {
    const user = await services.database.scoped(
      project.id,
      (tables) => findUser(tables, caller.userId!),
      { isReadOnly: true },
    )
    const data = user ? toUserIn(user, caller.organizationId) : null
    return json({ data, errors: {} })
  }),
  serveMembers(iam.listOrganizations, async ({ services, project, query, caller }) => {
    const property = query['Sort.Property']
    const isDescending = query['Sort.IsDescending'] ?? false
    const page = {
      page: query.Page,
      pageSize: query.PageSize,
      first: 0 as const,
      sort: property === undefined ? null : { property, isDescending },
    }
    const { database, options } = services
    const found = await listOrganizations(database, project, caller, page, options.now())
    return json({ ...found, errors: {} })
  }),
  serveMembers(iam.createOrganization, createOrganization),
  serveMembers(iam.listUsers, async ({ services, project, body, caller }) => {
    const { filter } = body
    const organizationId = filter?.org_id ?? filter?.organizationId
    const wanted = {
      ...filter,
      organizationId: organizationId ? organizationIdOf(project, organizationId) : null,
      visible: administeredUsers(project, caller),
    }
    const { rows, totalCount } = await services.database.scoped(
      project.id,
      (tables) => listUsers(tables, wanted, { ...body, first: 0 }),
      { isReadOnly: true },
    )
    return json({
      data: rows.map((row) => toUser(shownTo(caller, row))),
      errors: {},
      totalCount,
    })
  }),
  serveMembers(
    iam.getUser,
    async ({ services, project, path, query, caller }) => {
      const user = await services.database.scoped(
        project.id,
        (tables) => findUser(tables, path.userId),
        { isReadOnly: true },
      )
      if (!user) return noUser(path.userId)
      if (caller.userId !== path.userId) requireAuthority(caller, project, user, 'some')
      const within = query.organizationId && organizationIdOf(project, query.organizationId)
      return json({
        data: toUserIn(shownTo(caller, user), within),
        errors: {},
      })
    },
    { userOf: ({ path }) => path.userId },
  ),
  serveMembers(iam.createUser, async ({ services, project, request, body, caller }) => {
    const created = await createUser(
      services,
      project,
      request,
      {
        email: body.email,
        userName: body.userName || body.email,
        password: body.password ?? '',
        organizationId: body.organizationId,
        roles: body.roles,
        permissions: body.permissions,
        columns: {
          first_name: body.firstName,
          last_name: body.lastName,
          phone_number: body.phoneNumber,
          user_pass_type: body.userPassType,
          user_creation_type: body.userCreationType,
          verified_type: body.verifiedType,
          user_mfa_type: body.userMfaType,
          mfa_enabled: body.mfaEnabled,
          allowed_log_in_type: body.allowedLogInType,
          attributes: body.attributes,
        },
      },
      caller,
    )
    return 'errors' in created
      ? json({ isSuccess: false, itemId: null, errors: created.errors })
      : json({ isSuccess: true, itemId: created.user.item_id, errors: {} })
  }),
  serveMembers(iam.deactivateUser, async ({ services, project, body, caller }) => {
    const now = services.options.now()
    const isKnown = await services.database.scoped(project.id, async (tables) => {
      const user = await findUser(tables, body.userId)
      if (!user) return false
      requireAuthority(caller, project, user, 'every')
      return keepAdministrators(tables, organizationsOf(project, user), async () => {
        const columns = { active: false, last_updated_date: now, last_updated_by: caller.id }
        await updateUser(tables, body.userId, columns)
        await endSessionsOf(tables, body.userId, now)
        await tables.delete(oneTimeCodes).where(eq(oneTimeCodes.userId, body.userId))
        return true
      })
    })
    if (!isKnown) return noUser(body.userId)
    return json({ isSuccess: true, itemId: body.userId, errors: {} })
  }),
  serveMembers(iam.listRoles, async ({ services, project, body, caller }) => {
    const found = await services.database.scoped(
      project.id,
      (tables) => listRoles(tables, body.filter ?? {}, caller, { ...body, first: 0 }),
      { isReadOnly: true },
    )
    return json({ ...found, errors: {} })
  }),
  serveMembers(iam.listPermissions, async ({ services, project, body }) => {
    const wanted = { filter: body.filter ?? {}, roles: body.roles ?? [] }
    const found = await services.database.scoped(
      project.id,
      (tables) => listPermissions(tables, wanted, { ...body, first: 0 }),
      { isReadOnly: true },
    )
    return json({ ...found, errors: {} })
  }),
  serveMembers(iam.setAccess, async ({ services, project, body, caller }) => {
    const { userId, roles, permissions } = body
    const isKnown = await services.database.scoped(project.id, async (tables) => {
      const user = await findUser(tables, userId)
      if (!user) return false
      const organizationId = user.organization_id ?? defaultOrganizationId(project)
      const wanted = { organizationId, roles, permissions }
      await requireGrant(tables, caller, wanted, user.memberships)
      return keepAdministrators(tables, [organizationId], async () => {
        await replaceAccess(tables, project.id, userId, wanted)
        return updateUser(tables, userId, {
          last_updated_date: services.options.now(),
          last_updated_by: caller.id,
        })
      })
    })
    if (!isKnown) return noUser(userId)
    return json({ isSuccess: true, itemId: userId, errors: {} })
  }),
]

/** Creates an organization, and makes the caller its administrator. */
async function createOrganization({
  services,
  project,
  body,
  caller,
}: Call<typeof iam.createOrganization>): Promise<Answer> {
  const { database, options } = services
  const itemId = options.newId()
  const home = defaultOrganizationId(project)
  await database.scoped(project.id, async (tables) => {
    await requireGrant(tables, caller, {
      organizationId: home,
      roles: body.defaultRoleForMembers ?? [],
      permissions: body.defaultPermissionsForMembers ?? [],
    })
    await saveOrganization(tables, project.id, { ...body, itemId }, options.now(), caller.id)
    const { administratorRoles = defaultAdministratorRoles } = await readSettings(tables)
    const held = caller.roles.get(home)
    const roles = administratorRoles.filter((slug) => held?.has(slug))
    if (roles.length === 0) return
    const own = { organizationId: itemId, roles, permissions: [] }
    await replaceAccess(tables, project.id, caller.id, own)
  })
  return json({ isSuccess: true, itemId, errors: {} })
}

/** Serves an operation that requires one of the project's `accessRoles`. */
function serveMembers<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Answer>,
  options?: ServeOptions<O>,
): Served {
  return serveChecked(operation, handle, { ...options, requiresAccessRole: true })
}
