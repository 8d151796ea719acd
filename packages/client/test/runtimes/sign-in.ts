import { bindClient, type Client, createCore } from '@servicekit/client'
import { type Check, fails, has } from './checks.ts'
import type { World } from './world.ts'

const redirectUri = 'https://app.test/in'

/** Returns the client of a signed-in user. */
export async function signedIn(world: World, userName: string): Promise<Client> {
  const { means, noted, options, ask } = world
  const client = bindClient(noted(means.withCookies(createCore(options()))))
  const store = means.store()
  const { url } = await client.auth.startSignIn({ clientId: 'web', redirectUri, ...store })
  const { address } = await ask<{ address: string }>('sign-in', { url, userName })
  await client.auth.completeSignIn(address, store)
  return client
}

export function signInChecks(world: World): readonly Check[] {
  const { ask, attempts } = world
  const count = (operation: string): number => attempts.filter((one) => one === operation).length
  return [
    [
      'a session begins, is read, is renewed and ends',
      async () => {
        const client = await signedIn(world, 'eve')
        has(await client.auth.getSession(), { accounts: [{ userId: 'eve' }] })
        has(await client.auth.refresh({ clientId: 'web' }), { token_type: 'Bearer' })
        has(await client.iam.getMe(), { email: 'eve@example.com', isVerified: true })
        await client.auth.logout()
        has(await client.auth.getSession(), undefined)
        await fails(client.iam.getMe(), { code: 'REQUEST_REFUSED', status: 401 })
      },
    ],
    [
      'a sign-in with the state of another is refused',
      async () => {
        const { auth } = bindClient(createCore(world.options()))
        const store = { getItem: () => 'mine', setItem: () => {}, removeItem: () => {} }
        const address = `${redirectUri}?code=c&state=theirs`
        await fails(auth.completeSignIn(address, { store }), { code: 'SIGN_IN_REFUSED' })
      },
    ],
    [
      'twenty calls with an expired session renew it once and all succeed',
      async () => {
        const client = await signedIn(world, 'ada')
        const session = client.auth.createSession({ clientId: 'web' })
        const { iam } = bindClient(session.core)
        // Expires the access token: which of the calls receive 401 depends on the load.
        await ask('advance-clock', { advanceMs: 8 * 60_000 })
        const before = count('auth.issueToken')
        const found = await Promise.all(Array.from({ length: 20 }, () => iam.getMe()))
        has(new Set(found.map(({ email }) => email)).size, 1)
        has(count('auth.issueToken') - before, 1)
        has(await session.renew(), true)
        session.close()
      },
    ],
  ]
}
