import {
  type Action,
  nameOf,
  newNameOf,
  readAllPages,
  requireConfirmation,
  requireSuccess,
  table,
  textOf,
} from './action.ts'

const listRoles: Action = async (call) => {
  const address = 'POST /projects/{project}/interface/iam/v4/iam/roles'
  const path = await call.path()
  const data = await readAllPages('roles', async (body) =>
    requireSuccess(await call.control.send(address, { path, body })),
  )
  const rows = data.map(({ slug, name, description, count }) => [slug, name, count, description])
  return { value: data, lines: table(['slug', 'name', 'users', 'description'], rows) }
}

const createRole: Action = async (call) => {
  const slug = newNameOf(call, 'role')
  const name = textOf(call, 'title') ?? slug
  const body = { roles: [{ slug, name }] }
  await call.control.send('PUT /projects/{project}/identity', { path: await call.path(), body })
  return { value: { slug, name }, lines: [`${slug}: created`] }
}

const deleteRole: Action = async (call) => {
  const slug = nameOf(call, 'role')
  await requireConfirmation(call, `Delete role ${slug}, also from its users, keys and permissions?`)
  const path = { ...(await call.path()), slug }
  await call.control.send('DELETE /projects/{project}/roles/{slug}', { path })
  return { value: { slug, isDeleted: true }, lines: [`${slug}: deleted`] }
}

export const roleActions = {
  list: listRoles,
  create: createRole,
  delete: deleteRole,
} satisfies Record<string, Action>
