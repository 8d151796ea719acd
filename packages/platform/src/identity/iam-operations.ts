import { iam } from '@servicekit/contract'
import type { Tables } from '../database/database.ts'
import { type Call, implementStorable } from '../http/mount.ts'
import { rejection, notSaved, saved, success } from '../http/responses.ts'
import {
  keepAdministrators,
  listVisible,
  organizationsOf,
  requireAuthority,
  requireGrant,
  requireOther,
  visibleTo,
} from './authority.ts'
import { createUser } from './accounts.ts'
import {
  defaultOrganizationId,
  ensureDefaultOrganization,
  listOrganizations,
  organizationIdOf,
  saveOrganization,
} from './organizations.ts'
import { listPermissions, listRoles } from './roles.ts'
import { findUser, replaceAccess, toUser, toUserIn, updateUser, type User } from './users.ts'

const noUser = (id: string): Response => rejection(404, `There is no user ${id}.`)

/** Operations of section 4.2. */
export const iamOperations = [
  implementStorable(iam.getMe, async ({ snapshot, caller }) => {
    const user = await snapshot((tables) => findUser(tables, caller.userId ?? ''))
    return success({ data: user ? toUserIn(user, caller.organizationId) : null })
  }),
  implementStorable(
    iam.listOrganizations,
    async ({ services, project, query, caller, transaction }) => {
      const property = query['Sort.Property']
      const isDescending = query['Sort.IsDescending'] ?? false
      const sort = property === undefined ? null : { property, isDescending }
      const page = { page: query.Page, pageSize: query.PageSize, first: 0, sort } as const
      const found = await transaction(async (tables) => {
        await ensureDefaultOrganization(tables, project, services.options.now())
        return listOrganizations(tables, project, caller, page)
      })
      return success(found)
    },
  ),
  implementStorable(iam.createOrganization, createOrganization),
  implementStorable(iam.listUsers, (call) => {
    const { filter, ...page } = call.body
    const organizationId = filter?.org_id ?? filter?.organizationId
    return listVisible(call, { ...filter, organizationId }, { ...page, first: 0 }, toUser)
  }),
  implementStorable(
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
  implementStorable(iam.createUser, async (call) => {
    const created = await createUser(call, call.body)
    return 'errors' in created ? notSaved(created.errors) : saved(created.user.itemId)
  }),
  implementStorable(
    iam.deactivateUser,
    async ({ services, project, body, caller, transaction }) => {
      const { userId } = body
      const now = services.options.now()
      return changeUser(transaction, userId, async (tables, user) => {
        requireAuthority(caller, project, user, 'every')
        await keepAdministrators(tables, caller, organizationsOf(project, user), async () => {
          const changes = { active: false, lastUpdatedDate: now, lastUpdatedBy: caller.id }
          await updateUser(tables, userId, changes, now)
        })
      })
    },
  ),
  implementStorable(iam.listRoles, async ({ snapshot, body, caller }) =>
    success(
      await snapshot((tables) =>
        listRoles(tables, body.filter ?? {}, caller, { ...body, first: 0 }),
      ),
    ),
  ),
  implementStorable(iam.listPermissions, async ({ snapshot, body }) => {
    const { filter, roles, ...page } = body
    return success(
      await snapshot((tables) =>
        listPermissions(tables, filter ?? {}, roles ?? [], { ...page, first: 0 }),
      ),
    )
  }),
  implementStorable(iam.setAccess, async ({ services, project, body, caller, transaction }) => {
    const { userId, roles, permissions } = body
    requireOther(caller, userId, 'roles')
    return changeUser(transaction, userId, async (tables, user) => {
      const organizationId = user.organizationId ?? defaultOrganizationId(project)
      const wanted = { organizationId, roles, permissions }
      await requireGrant(tables, caller, wanted, user.memberships)
      await keepAdministrators(tables, caller, [organizationId], async () => {
        await replaceAccess(tables, project.id, userId, wanted)
        const now = services.options.now()
        const changes = { lastUpdatedDate: now, lastUpdatedBy: caller.id }
        await updateUser(tables, userId, changes, now)
      })
    })
  }),
]

async function changeUser(
  transaction: Call['transaction'],
  userId: string,
  change: (tables: Tables, user: User) => Promise<void>,
): Promise<Response> {
  const user = await transaction(async (tables) => {
    const found = await findUser(tables, userId)
    if (found) await change(tables, found)
    return found
  })
  return user ? saved(userId) : noUser(userId)
}

/** Creates an organization, and makes the caller its administrator. */
async function createOrganization(call: Call<typeof iam.createOrganization>): Promise<Response> {
  const { services, project, body, caller, transaction } = call
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
    const roles = caller.administratorRoles.filter((slug) => held?.has(slug))
    if (roles.length === 0) return
    const own = { organizationId: itemId, roles, permissions: [] }
    await replaceAccess(tables, project.id, caller.id, own)
  })
  return saved(itemId)
}
