import { expect } from 'vitest'
import { addressIn, appUri, password, signIn, submitLogin } from '@servicekit/testing/people'
import { browserOn } from '@servicekit/testing/cookie-browser'
import type { OperationCases } from './operation-case.ts'
import { wrongKeys } from './project-key.ts'
import { machine, type Sent, type World } from './world.ts'

const initiate = {
  path: '/iam/v4/idp/initiate',
  query: { 'x-service-key': 'P', clientId: 'web', redirectUri: appUri },
}
const initiated = (world: World, query: Record<string, string>) =>
  world.send({ ...initiate, query: { ...initiate.query, ...query } })
const callback = { path: '/iam/v4/idp/callback', query: { code: 'x', state: 'y' } }
const session = { path: '/iam/v4/oidc/session' }
const token = { path: '/iam/v4/oidc/token', form: machine }
const renewal = {
  path: '/iam/v4/oidc/token',
  form: { grant_type: 'refresh_token', client_id: 'web' },
  headers: { origin: 'https://app.example' },
}
const activation = { path: '/iam/v4/auth/activate', body: { code: 'x', password } }
const logout = { path: '/iam/v4/auth/Logout', body: {} }

/** Matches any string. */
const text = expect.any(String) as string

/** Starts a sign-in and continues up to its code; returns the browser that started it. */
async function withCode({ platform }: World) {
  const browser = browserOn(platform)
  const begun = await browser.send(`${initiate.path}?${new URLSearchParams(initiate.query)}`)
  const { page } = await browser.open(await addressIn(begun))
  const { left } = await submitLogin(browser, page!, 'ada')
  return { browser, state: left!.searchParams.get('state')!, code: left!.searchParams.get('code')! }
}

/** Repeats a guess from its own client address until it is throttled. */
export async function throttled(world: World, guess: Sent): Promise<Response> {
  const headers = { 'x-forwarded-for': `guesses at ${guess.path}` }
  for (let count = 0; count < 20; count++) {
    const response = await world.send({ ...guess, headers })
    if (response.status === 429) return response
  }
  throw new Error('No attempt was refused')
}

/** Cases of section 4.1. */
export const authCases: OperationCases = {
  'auth.initiate': [
    { when: 'for a registered client', status: 200, send: (world) => initiated(world, {}) },
    {
      when: 'for an unknown client',
      status: 400,
      code: 'invalid_client',
      send: (world) => initiated(world, { clientId: 'x' }),
    },
    {
      when: 'without a parameter',
      status: 400,
      code: 'invalid_request',
      send: (world) => initiated(world, { clientId: '' }),
    },
    {
      when: 'with an unregistered redirect URL',
      status: 400,
      code: 'invalid_redirect_uri',
      send: (world) => initiated(world, { redirectUri: `${appUri}/` }),
    },
    {
      when: 'with an unknown project key',
      status: 404,
      send: (world) =>
        world.send({
          ...initiate,
          key: 'none',
          query: { ...initiate.query, 'x-service-key': 'none' },
        }),
    },
  ],
  'auth.callback': [
    {
      when: 'after a sign-in',
      status: 200,
      send: async ({ platform }) => (await signIn(platform, 'P')).callback,
    },
    {
      when: 'with an unknown state',
      status: 400,
      code: 'invalid_state',
      send: (world) => world.send(callback),
    },
    {
      when: 'with an unknown code',
      status: 400,
      code: 'invalid_grant',
      send: async (world) => {
        const { browser, state } = await withCode(world)
        return world.send({ ...callback, query: { code: 'x', state }, by: browser })
      },
    },
    wrongKeys(callback)[1]!,
  ],
  'auth.getSession': [
    wrongKeys(session)[0]!,
    {
      when: 'for a signed-in user',
      status: 200,
      send: (world) => world.send({ ...session, by: world.admin }),
    },
    {
      when: 'without a session',
      status: 401,
      code: 'session_not_found',
      send: (world) => world.send(session),
    },
    {
      when: 'after half an hour without a renewal',
      status: 401,
      code: 'session_expired',
      send: (world) => world.send({ ...session, by: world.expired }),
    },
    {
      when: 'after a sign-out',
      status: 404,
      code: 'session_revoked',
      send: async (world) => {
        const by = await world.signedIn()
        await world.send({ ...logout, by })
        return world.send({ ...session, by })
      },
    },
    {
      when: 'with an unknown project key',
      status: 404,
      send: (world) => world.send({ ...session, key: 'none' }),
    },
  ],
  'auth.issueToken': [
    { when: 'for a machine', status: 200, send: (world) => world.send(token) },
    {
      when: 'for a session that is renewed',
      status: 200,
      body: { cookie_set: true },
      send: async (world) => world.send({ ...renewal, by: await world.signedIn() }),
    },
    {
      when: 'without a session to renew',
      status: 400,
      code: 'invalid_grant',
      send: (world) => world.send(renewal),
    },
    {
      when: 'for an unknown organization',
      status: 400,
      code: 'invalid_request',
      send: (world) => world.send({ ...token, form: { ...machine, org_id: 'none' } }),
    },
    {
      when: 'without an organization',
      status: 400,
      code: 'invalid_request',
      send: (world) => world.send({ ...token, form: { ...machine, org_id: '' } }),
    },
    {
      when: 'for an unsupported grant type',
      status: 400,
      code: 'invalid_request',
      send: (world) => world.send({ ...token, form: { ...machine, grant_type: 'password' } }),
    },
    {
      when: 'with a wrong secret',
      status: 401,
      code: 'invalid_client',
      send: (world) => world.send({ ...token, form: { ...machine, client_secret: 'wrong' } }),
    },
    {
      when: 'after many wrong secrets',
      status: 429,
      send: (world) => throttled(world, { ...token, form: { ...machine, client_secret: 'wrong' } }),
    },
    wrongKeys(token)[1]!,
  ],
  'auth.activate': [
    {
      when: 'with the code of an invitation',
      status: 200,
      body: { isSuccess: true, active: true, isVarified: true },
      send: async (world) => {
        const { code } = await world.invite()
        return world.send({ ...activation, body: { code, password } })
      },
    },
    {
      when: 'with an unknown code',
      status: 400,
      body: { isSuccess: false, errors: { code: text } },
      send: (world) => world.send(activation),
    },
    {
      when: 'with a code that was already used',
      status: 400,
      body: { isSuccess: false, errors: { code: text } },
      send: async (world) => {
        const { code } = await world.invite()
        const sent = { ...activation, body: { code, password } }
        await world.send(sent)
        return world.send(sent)
      },
    },
    {
      when: 'with a password that is too short',
      status: 400,
      body: { errors: { password: text } },
      send: async (world) => {
        const { code } = await world.invite()
        return world.send({ ...activation, body: { code, password: 'short' } })
      },
    },
    {
      when: 'without a required member',
      status: 400,
      send: (world) => world.send({ ...activation, body: { code: 'x' } }),
    },
    {
      when: 'after many wrong codes',
      status: 429,
      send: (world) => throttled(world, activation),
    },
    ...wrongKeys(activation),
  ],
  'auth.logout': [
    {
      when: 'for a signed-in user',
      status: 200,
      send: async (world) => world.send({ ...logout, by: await world.signedIn() }),
    },
    {
      when: 'without a session',
      status: 400,
      code: 'invalid_request',
      send: (world) => world.send(logout),
    },
    wrongKeys(logout)[1]!,
  ],
}
