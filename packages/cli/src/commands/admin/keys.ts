import { ConfigError } from '@servicekit/client'
import {
  type Action,
  type AdminCall,
  nameOf,
  newNameOf,
  parseSeconds,
  requireConfirmation,
  table,
  textOf,
  valuesOf,
} from './action.ts'

const listKeys: Action = async ({ control, path }) => {
  const value = await control.send('GET /projects/{project}/clients', { path: await path() })
  const rows = value.map(({ clientId, name, hasSecret, roles, previousSecretUntil: until }) => [
    clientId,
    name,
    hasSecret ? 'yes' : 'no',
    roles.join(' '),
    until !== null && Date.parse(until) > Date.now() ? until : '-',
  ])
  return { value, lines: table(['id', 'name', 'secret', 'roles', 'previous until'], rows) }
}

interface Issued {
  readonly clientId: string
  readonly clientSecret: string
  readonly previousSecretUntil?: string
}

/** Shows a new secret, which is not stored anywhere and cannot be shown again. */
const issued = (value: Issued, verb: string) => ({
  value,
  lines: [
    `${value.clientId}: ${verb}. The secret is shown only now:`,
    value.clientSecret,
    ...(value.previousSecretUntil === undefined
      ? []
      : [`The previous secret is valid until ${value.previousSecretUntil}`]),
  ],
})

const createKey: Action = async (call) => {
  const { control, path } = call
  const name = textOf(call, 'title')
  const created = await control.send('POST /projects/{project}/clients', {
    path: await path(),
    body: {
      clientId: newNameOf(call, 'client id'),
      ...(name === undefined ? {} : { name }),
      roles: valuesOf(call, 'role') ?? [],
      redirectUris: valuesOf(call, 'redirect-uri') ?? [],
    },
  })
  return issued(created, 'created')
}

/** Reads `--overlap`. @throws ConfigError */
function overlapOf(call: AdminCall) {
  const overlap = textOf(call, 'overlap') ?? '24h'
  const overlapSeconds = overlap === '0' ? 0 : parseSeconds(overlap)
  if (overlapSeconds !== undefined) return { overlapSeconds }
  throw new ConfigError(`--overlap must be a time such as 90s, 24h or 7d (received "${overlap}")`)
}

const rotateKey: Action = async (call) => {
  const body = overlapOf(call)
  const path = { ...(await call.path()), id: nameOf(call, 'client id') }
  const address = 'POST /projects/{project}/clients/{id}/rotate'
  return issued(await call.control.send(address, { path, body }), 'rotated')
}

const rotateSigningKey: Action = async (call) => {
  const value = await call.control.send('POST /projects/{project}/signing-key/rotate', {
    path: await call.path(),
    body: overlapOf(call),
  })
  const { kid, previousKeysUntil } = value
  const line = `Signing key ${kid}: in use. Keys before it are published until ${previousKeysUntil}`
  return { value, lines: [line] }
}

const revokeKey: Action = async (call) => {
  const clientId = nameOf(call, 'client id')
  await requireConfirmation(call, `Revoke key ${clientId} and its tokens?`)
  const path = { ...(await call.path()), id: clientId }
  await call.control.send('DELETE /projects/{project}/clients/{id}', { path })
  return { value: { clientId, isRevoked: true }, lines: [`${clientId}: revoked`] }
}

export const keyActions = {
  list: listKeys,
  create: createKey,
  rotate: rotateKey,
  revoke: revokeKey,
} satisfies Record<string, Action>

export const signingKeyActions = { rotate: rotateSigningKey } satisfies Record<string, Action>
