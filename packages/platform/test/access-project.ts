import { appUri } from '@servicekit/testing/people'

/** Sends a request as somebody. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** Returns the identity data of a project with three roles, each an ancestor of the next. */
export const identityWith = <User>(users: User[]) => ({
  organizations: [{ itemId: 'org-other', name: 'Other' }],
  roles: [
    { slug: 'owner', ancestorRoleSlugs: ['admin'] },
    { slug: 'admin', ancestorRoleSlugs: ['member'] },
    { slug: 'member' },
  ],
  permissions: [
    { name: 'orders.read', roles: ['member'] },
    { name: 'orders.burn', roles: ['owner'] },
  ],
  clients: [{ clientId: 'web', redirectUris: [appUri] }],
  users,
})

/** Sends JSON to the project P. */
export async function post(send: Send, path: string, body: object = {}) {
  const headers = { 'x-service-key': 'P', 'content-type': 'application/json' }
  const response = await send(path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}
