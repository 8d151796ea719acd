/**
 * What the tests against the platform have in common. It runs in browsers and in
 * workers too: nothing of Node is imported here.
 */

/** Everybody's. */
export const password = 'a horse of a battery'
export const redirectUri = 'https://app.test/in'
/** A machine, which signs in without a person. */
export const machine = { clientId: 'job', clientSecret: 'the secret of the job' }
export const agentId = '3f2c1e0a-6f4b-4b8e-9d52-0c8a7e6d5b41'

/** Clients, roles, a permission, and users of these names, who may do everything, as the machine may. */
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

/** A tool with OAuth, whose authorization server is nowhere. */
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
