import { iam, type Operation } from '@servicekit/contract'
import { eq } from 'drizzle-orm'
import type { Call, Served, ServeOptions } from '../http/mount.ts'
import { rejection } from '../http/responses.ts'
import { serveValidated } from '../http/serve-validated.ts'
import {
  administeredUsers,
  keepAdministrators,
  organizationsOf,
  requireAuthority,
  requireGrant,
  visibleTo,
} from './authority.ts'
import { createUser } from './create-user.ts'
import {
  defaultOrganizationId,
  ensureDefaultOrganization,
  listOrganizations,
  organizationIdOf,
  saveOrganization,
} from './organizations.ts'
import { notSaved, saved, success } from './responses.ts'
import { listPermissions, listRoles } from './roles.ts'
import { endSessionsOf } from './sessions.ts'
import { readAdministratorRoles } from './settings.ts'
import { oneTimeCodes } from './tables.ts'
import { findUser, listUsers, replaceAccess, toUser, toUserIn, updateUser } from './users.ts'

const noUser = (id: string): Response => rejection(404, `There is no user ${id}.`)

/** Operations of section 4.2. */
export const iamOperations = [
  serveMembers(iam.getMe, async ({ snapshot, caller }) => {
    const user = await snapshot((tables) => findUser(tables, caller.userId!))
    return success({ data: user ? toUserIn(user, caller.organizationId) : null })
  }),
  serveMembers(iam.listOrganizations, async ({ services, project, query, caller, transaction }) => {
    const property = query['Sort.Property']
    const isDescending = query['Sort.IsDescending'] ?? false
    const sort = property === undefined ? null : { property, isDescending }
    const page = { page: query.Page, pageSize: query.PageSize, first: 0, sort } as const
    const found = await transaction(async (tables) => {
      await ensureDefaultOrganization(tables, project, services.options.now())
      return listOrganizations(tables, project, caller, page)
    })
    return success(found)
  }),
  serveMembers(iam.createOrganization, createOrganization),
  serveMembers(iam.listUsers, async ({ project, body, caller, snapshot }) => {
    const organizationId = body.filter?.org_id ?? body.filter?.organizationId
    const filter = {
      ...body.filter,
      organizationId: organizationId ? organizationIdOf(project, organizationId) : null,
      visible: administeredUsers(project, caller),
    }
    const { rows, totalCount } = await snapshot((tables) =>
      listUsers(tables, filter, { ...body, first: 0 }),
    )
    return success({ data: rows.map((user) => toUser(visibleTo(caller, user))), totalCount })
  }),
  serveMembers(
    iam.getUser,
    async ({ project, path, query, caller, snapshot }) => {
      const user = await snapshot((tables) => findUser(tables, path.userId))
      if (!user) return noUser(path.userId)
      if (caller.userId !== path.userId) requireAuthority(caller, project, user, 'some')
      const within = query.organizationId && organizationIdOf(project, query.organizationId)
      return success({ data: toUserIn(visibleTo(caller, user), within) })
    },
    { userOf: ({ path }) => path.userId },
  ),
  serveMembers(iam.createUser, async ({ services, project, request, body, caller }) => {
    const user = { ...body, userName: body.userName || body.email, password: body.password ?? '' }
    const created = await createUser(services, project, request, user, caller)
    return 'errors' in created ? notSaved(created.errors) : saved(created.user.itemId)
  }),
  serveMembers(iam.deactivateUser, async ({ services, project, body, caller, transaction }) => {
    const { userId } = body
    const now = services.options.now()
    const isKnown = await transaction(async (tables) => {
      const user = await findUser(tables, userId)
      if (!user) return false
      requireAuthority(caller, project, user, 'every')
      return keepAdministrators(tables, organizationsOf(project, user), async () => {
        const changes = { active: false, lastUpdatedDate: now, lastUpdatedBy: caller.id }
        await updateUser(tables, userId, changes)
        await endSessionsOf(tables, userId, now)
        await tables.delete(oneTimeCodes).where(eq(oneTimeCodes.userId, userId))
        return true
      })
    })
    return isKnown ? saved(userId) : noUser(userId)
  }),
  serveMembers(iam.listRoles, async ({ snapshot, body, caller }) =>
    success(
      await snapshot((tables) =>
        listRoles(tables, body.filter ?? {}, caller, { ...body, first: 0 }),
      ),
    ),
  ),
  serveMembers(iam.listPermissions, async ({ snapshot, body }) => {
    const { filter, roles, ...page } = body
    return success(
      await snapshot((tables) =>
        listPermissions(tables, filter ?? {}, roles ?? [], { ...page, first: 0 }),
      ),
    )
  }),
  serveMembers(iam.setAccess, async ({ services, project, body, caller, transaction }) => {
    const { userId, roles, permissions } = body
    const isKnown = await transaction(async (tables) => {
      const user = await findUser(tables, userId)
      if (!user) return false
      const organizationId = user.organizationId ?? defaultOrganizationId(project)
      const wanted = { organizationId, roles, permissions }
      await requireGrant(tables, caller, wanted, user.memberships)
      return keepAdministrators(tables, [organizationId], async () => {
        await replaceAccess(tables, project.id, userId, wanted)
        const lastUpdatedDate = services.options.now()
        return updateUser(tables, userId, { lastUpdatedDate, lastUpdatedBy: caller.id })
      })
    })
    return isKnown ? saved(userId) : noUser(userId)
  }),
]

/** Creates an organization, and makes the caller its administrator. */
async function createOrganization({
  services,
  project,
  body,
  caller,
  transaction,
}: Call<typeof iam.createOrganization>): Promise<Response> {
  const itemId = services.options.newId()
  const home = defaultOrganizationId(project)
  await transaction(async (tables) => {
    await requireGrant(tables, caller, {
      organizationId: home,
      roles: body.defaultRoleForMembers ?? [],
      permissions: body.defaultPermissionsForMembers ?? [],
    })
    const now = services.options.now()
    await saveOrganization(tables, project.id, { ...body, itemId }, now, caller.id)
    const held = caller.roles.get(home)
    const roles = (await readAdministratorRoles(tables)).filter((slug) => held?.has(slug))
    if (roles.length === 0) return
    const own = { organizationId: itemId, roles, permissions: [] }
    await replaceAccess(tables, project.id, caller.id, own)
  })
  return saved(itemId)
}

/** Serves an operation that requires one of the project's `accessRoles`. */
function serveMembers<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Response>,
  options?: ServeOptions<O>,
): Served {
  return serveValidated(operation, handle, { ...options, requiresAccessRole: true })
}
