import { type Action, callInterface, nameOf, requireConfirmation, table, textOf } from './action.ts'

interface Role {
  readonly slug: string
  readonly name: string
  readonly description: string | null
  readonly count: number
}

const listRoles: Action = async (call) => {
  const body = { page: 0, pageSize: 1000 }
  const { data } = await callInterface<{ data: readonly Role[] }>(call, '/iam/v4/iam/roles', body)
  const rows = data.map(({ slug, name, description, count }) => [slug, name, count, description])
  return { value: data, lines: table(['slug', 'name', 'users', 'description'], rows) }
}

const createRole: Action = async (call) => {
  const slug = nameOf(call, 'role')
  const name = textOf(call, 'title') ?? slug
  await call.send(`${await call.project()}/identity`, 'PUT', { roles: [{ slug, name }] })
  return { value: { slug, name }, lines: [`${slug}: created`] }
}

const deleteRole: Action = async (call) => {
  const slug = nameOf(call, 'role')
  await requireConfirmation(call, `Delete role ${slug}, also from its users, keys and permissions?`)
  await call.send(`${await call.project()}/roles/${encodeURIComponent(slug)}`, 'DELETE')
  return { value: { slug, isDeleted: true }, lines: [`${slug}: deleted`] }
}

export const roleActions = {
  list: listRoles,
  create: createRole,
  delete: deleteRole,
} satisfies Record<string, Action>
