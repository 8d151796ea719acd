/**
 * Shared by the tests against the platform. Also runs in browsers and workers, so it
 * imports nothing from Node.
 */

/** Password of every user. */
export const password = 'a horse of a battery'
export const redirectUri = 'https://app.test/in'
/** Machine client, which signs in without a user. */
export const machine = { clientId: 'job', clientSecret: 'the secret of the job' }
export const agentId = '3f2c1e0a-6f4b-4b8e-9d52-0c8a7e6d5b41'

/**
 * Clients, roles, a permission, and users with these names; the users and the machine are
 * administrators.
 */
export const identityOf = (...names: readonly string[]) => ({
  clients: [
    { clientId: 'web', redirectUris: [redirectUri] },
    { ...machine, roles: ['admin'] },
  ],
  roles: [{ slug: 'admin', ancestorRoleSlugs: ['member'] }, { slug: 'member' }],
  permissions: [{ name: 'orders.read', type: 1, resource: 'orders', roles: ['admin'] }],
  users: names.map((name) => ({
    itemId: name,
    email: `${name}@example.com`,
    userName: name,
    password,
    roles: ['admin'],
  })),
})

/** Tool with OAuth, whose authorization server does not exist. */
export const mailTool = {
  name: 'Mail',
  auth: {
    type: 'oauth2',
    grantType: 'AUTHORIZATION_CODE',
    authorizationUrl: 'http://127.0.0.1:9/auth',
    tokenUrl: 'http://127.0.0.1:9/token',
    clientId: 'tool',
    redirectUri: 'http://127.0.0.1:4600/_platform/tools/callback',
    scopes: ['a', 'b'],
  },
}
