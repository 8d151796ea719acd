import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { appUri, control, origin, people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [project('P')] })
  await control(platform, 'P', 'PUT', '/identity', people)
})
afterAll(() => platform?.close())

const send = (path: string, init: RequestInit = {}) =>
  platform.fetch(
    new Request(new URL(path, origin), {
      ...init,
      headers: { 'x-service-key': 'P', ...(init.headers as Record<string, string>) },
    }),
  )
type Guess = (value: string) => Promise<Response>
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const grant = (parameters: Record<string, string>) =>
  send('/iam/v4/oidc/projects/P/token', {
    method: 'POST',
    headers: form,
    body: `${new URLSearchParams({ client_id: 'web', ...parameters })}`,
  })

/** End of the names of the cookies of the project P. */
const suffix = createHash('sha256').update('P').digest('hex').slice(0, 12)
const signed = '/_platform/objects/P/file/a.txt?expires=9999999999&limit=10'

/** Requests with a value of 256 random bits that is not the right one, and their response. */
const guesses: readonly [name: string, status: number, text: string, send: Guess][] = [
  [
    'a refresh token',
    400,
    'invalid_grant',
    (x) => grant({ grant_type: 'refresh_token', refresh_token: x }),
  ],
  [
    'an authorization code',
    400,
    'invalid_grant',
    (x) =>
      grant({ grant_type: 'authorization_code', code: x, code_verifier: x, redirect_uri: appUri }),
  ],
  [
    'the state of a sign-in',
    400,
    'invalid_state',
    (x) => send(`/iam/v4/idp/callback?code=x&state=P.${x}`),
  ],
  [
    'a token of a session',
    401,
    'session_expired',
    (x) => send('/iam/v4/iam/me', { headers: { cookie: `sk_access_${suffix}=${x}` } }),
  ],
  [
    'a token of a machine',
    401,
    'invalid',
    (x) => send('/idp/v1/Iam/GetAccount', { headers: { authorization: `Bearer ${x}` } }),
  ],
  [
    'the state of a tool',
    400,
    'The state is unknown',
    (x) => send(`/_platform/tools/callback?code=x&state=1.${x}`),
  ],
  [
    'a ticket to sign in',
    400,
    'This link is not valid',
    (x) => send(`/_platform/projects/P/sign-in-as?ticket=${x}`),
  ],
  [
    'the signature of an upload',
    403,
    'not signed by this platform',
    (x) => send(`${signed}&method=PUT&signature=${x}`, { method: 'PUT', body: 'x' }),
  ],
  [
    'the signature of a download',
    403,
    'not signed by this platform',
    (x) => send(`${signed}&method=GET&signature=${x}`),
  ],
]

it.each(guesses)(
  'refuses 40 guesses of %s that arrive at once, each in the same way and without a limit',
  async (_, status, text, guess) => {
    const sent = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const response = await guess(randomBytes(32).toString('base64url'))
        return { status: response.status, text: await response.text() }
      }),
    )
    expect(sent[0]).toMatchObject({ status, text: expect.stringContaining(text) })
    // Nothing but the id of a request may differ.
    const same = sent.map((one) => JSON.stringify(one).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ''))
    expect(new Set(same).size).toBe(1)
  },
)
