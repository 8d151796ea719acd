import type { Platform } from '@servicekit/platform'
import { type Browser, browserOn } from './cookie-browser.ts'

export const origin = 'http://platform.local'
export const appUri = 'https://app.example/callback'
export const password = 'a horse of a battery'

/** Users, roles and clients of the projects in tests. */
export const people = {
  clients: [
    {
      clientId: 'web',
      name: 'The shop',
      redirectUris: [appUri],
      postLogoutRedirectUris: ['https://app.example/'],
    },
    { clientId: 'job', clientSecret: 'the secret of the job' },
    { clientId: 'boss', clientSecret: 'the secret of the boss', roles: ['admin'] },
    { clientId: 'own', clientSecret: 'the secret of the own', organizations: ['org-other'] },
  ],
  organizations: [{ itemId: 'org-other', name: 'Other' }],
  roles: [
    { slug: 'admin', name: 'Administrator', ancestorRoleSlugs: ['member'] },
    { slug: 'member', name: 'Member' },
  ],
  permissions: [
    { name: 'orders.read', type: 1, resource: 'orders', roles: ['member'] },
    { name: 'orders.write', type: 1, resource: 'orders', roles: ['admin'] },
  ],
  users: [
    {
      itemId: 'ada',
      email: 'ada@example.com',
      userName: 'ada',
      password,
      firstName: 'Ada',
      lastName: 'L',
      memberships: [
        { organizationId: 'default', roles: ['admin'], permissions: [] },
        { organizationId: 'org-other', roles: ['admin'], permissions: [] },
      ],
    },
    { itemId: 'bob', email: 'bob@example.com', password, roles: ['member'] },
  ],
}

/** Sends a request to a control route of a project. */
export const control = (
  platform: Pick<Platform, 'fetch'>,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> =>
  platform.fetch(
    new Request(`${origin}/_platform/projects/${key}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )

/** Submits a name and a password on the open login page. */
export async function submitLogin(
  browser: Browser,
  page: Response,
  username: string,
  secret = password,
  headers: Record<string, string> = { origin },
) {
  const action = /<form method="post" action="([^"]+)"/.exec(await page.text())?.[1]
  if (action === undefined) throw new Error('there is no form')
  return browser.open(action, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ username, password: secret }).toString(),
  })
}

/** Returns the address to sign in at, whose name depends on the project's dialect. */
export async function addressIn(begun: Response): Promise<string> {
  const [address] = Object.values((await begun.json()) as Record<string, string>)
  return address!
}

/** Signs a user in, in a new browser. */
export async function signIn(platform: Pick<Platform, 'fetch'>, key: string, username = 'ada') {
  const browser = browserOn(platform)
  const query = new URLSearchParams({ 'x-service-key': key, clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { page } = await browser.open(await addressIn(begun))
  const { left } = await submitLogin(browser, page!, username)
  const callback = await browser.send(`/iam/v4/idp/callback${left!.search}`, {
    headers: { 'x-service-key': key },
  })
  return { browser, callback, left: left! }
}
