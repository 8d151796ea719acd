import { iam } from '@servicekit/contract'
import type { Operation } from '@servicekit/contract'
import { type Answer, json } from '../http/answer.ts'
import type { Call, Served, ServeOptions } from '../http/mount.ts'
import { rejection } from '../http/refusals.ts'
import { listPermissions, listRoles } from './access.ts'
import type { Caller } from './caller.ts'
import { createUser } from './create-user.ts'
import {
  defaultOrganizationId,
  listOrganizations,
  organizationIdOf,
  organizationStatement,
} from './organizations.ts'
import { serveChecked } from './serve-checked.ts'
import { endSessionsOf } from './sessions.ts'
import { oneTimeCodes } from './tables.ts'
import { eq } from 'drizzle-orm'
import { spelled } from './spelled.ts'
import { toUser, toUserIn, type UserRow } from './user-record.ts'
import { findUser, listUsers, replaceAccess, updateUser, userStatement } from './users.ts'

const noUser = (id: string): Answer => rejection(404, `There is no user ${id}.`)

/** The operations of section 4.2. */
export const iamOperations = [
  serveMembers(iam.getMe, async ({ project, caller, send }) => {
    const [found] = await send([userStatement(caller?.userId ?? '')])
    const [user] = found!.rows as readonly UserRow[]
    const data = user ? spelled(project, toUserIn(user, caller?.organizationId)) : null
    return json({ data, errors: null })
  }),
  serveMembers(iam.listOrganizations, async ({ services, project, query }) => {
    const property = query['Sort.Property']
    const isDescending = query['Sort.IsDescending'] ?? false
    const page = {
      page: query.Page,
      pageSize: query.PageSize,
      first: 0 as const,
      sort: property === undefined ? null : { property, isDescending },
    }
    const { database, options } = services
    const found = await listOrganizations(database, project, page, options.now())
    return json({ ...found, errors: null })
  }),
  serveMembers(
    iam.createOrganization,
    forAdministrators(async ({ services, project, body, caller, send }) => {
      const itemId = services.options.newId()
      const one = { ...body, itemId }
      const now = services.options.now()
      await send([organizationStatement(project.id, one, now, caller?.userId)])
      return json({ isSuccess: true, itemId, errors: null })
    }),
  ),
  serveMembers(iam.listUsers, async ({ services, project, body }) => {
    const { filter } = body
    const organizationId = filter?.org_id ?? filter?.organizationId
    const wanted = {
      ...filter,
      organizationId: organizationId ? organizationIdOf(project, organizationId) : null,
    }
    const { rows, totalCount } = await services.database.scoped(
      project.id,
      (tables) => listUsers(tables, wanted, { ...body, first: 0 }),
      { isReadOnly: true },
    )
    return json({
      data: rows.map((row) => spelled(project, toUser(row))),
      errors: null,
      totalCount,
    })
  }),
  serveMembers(iam.getUser, async ({ services, project, path, query }) => {
    const user = await services.database.scoped(
      project.id,
      (tables) => findUser(tables, path.userId),
      { isReadOnly: true },
    )
    if (!user) return noUser(path.userId)
    const within = query.organizationId && organizationIdOf(project, query.organizationId)
    return json({ data: spelled(project, toUserIn(user, within)), errors: null })
  }),
  serveMembers(
    iam.createUser,
    forAdministrators(async ({ services, project, request, body, caller }) => {
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
        caller?.userId ?? null,
      )
      return 'errors' in created
        ? json({ isSuccess: false, itemId: null, errors: created.errors })
        : json({ isSuccess: true, itemId: created.user.item_id, errors: null })
    }),
  ),
  serveMembers(
    iam.deactivateUser,
    forAdministrators(async ({ services, project, body, caller }) => {
      const now = services.options.now()
      const isKnown = await services.database.scoped(project.id, async (tables) => {
        const columns = {
          active: false,
          last_updated_date: now,
          last_updated_by: caller?.userId ?? null,
        }
        if (!(await updateUser(tables, body.userId, columns))) return false
        await endSessionsOf(tables, body.userId, now)
        await tables.delete(oneTimeCodes).where(eq(oneTimeCodes.userId, body.userId))
        return true
      })
      if (!isKnown) return noUser(body.userId)
      return json({ isSuccess: true, itemId: body.userId, errors: null })
    }),
  ),
  serveMembers(iam.listRoles, async ({ services, project, body }) => {
    const found = await services.database.scoped(
      project.id,
      (tables) => listRoles(tables, body.filter ?? {}, { ...body, first: 0 }),
      { isReadOnly: true },
    )
    return json({ ...found, errors: null })
  }),
  serveMembers(iam.listPermissions, async ({ services, project, body }) => {
    const wanted = { filter: body.filter ?? {}, roles: body.roles ?? [] }
    const found = await services.database.scoped(
      project.id,
      (tables) => listPermissions(tables, wanted, { ...body, first: 0 }),
      { isReadOnly: true },
    )
    return json({ ...found, errors: null })
  }),
  serveMembers(
    iam.setAccess,
    forAdministrators(async ({ services, project, body, caller }) => {
      const { userId, roles, permissions } = body
      const isKnown = await services.database.scoped(project.id, async (tables) => {
        const user = await findUser(tables, userId)
        if (!user) return false
        const organizationId = user.organization_id ?? defaultOrganizationId(project)
        await replaceAccess(tables, project.id, userId, { organizationId, roles, permissions })
        return updateUser(tables, userId, {
          last_updated_date: services.options.now(),
          last_updated_by: caller?.userId ?? null,
        })
      })
      if (!isKnown) return noUser(userId)
      return json({ isSuccess: true, itemId: userId, errors: null })
    }),
  ),
]

/** Lets in who has one of the roles that the project asks for, if it asks for any. */
function forAdministrators<O extends Operation>(
  handle: (call: Call<O>) => Promise<Answer>,
): (call: Call<O>) => Promise<Answer> {
  return async (call) =>
    call.caller &&
    (call.caller as Caller).administered !== 'all' &&
    ((call.caller as Caller).administered as ReadonlySet<string>).size > 0
      ? handle(call)
      : noRole
}

const noRole = rejection(403, 'This takes a role that the session does not have.')

/** Lets in who has one of the roles that the project asks for before it shows anything. */
function serveMembers<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Answer>,
  options?: ServeOptions,
): Served {
  const checked = async (call: Call<O>): Promise<Answer> =>
    (call.caller as Caller | undefined)?.hasAccess ? handle(call) : noRole
  return serveChecked(operation, checked, options)
}
