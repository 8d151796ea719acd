import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { browserOn } from '@servicekit/testing/cookie-browser'
import {
  appUri,
  control,
  origin,
  password,
  people,
  signIn,
  submitLogin,
} from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const issuer = '/iam/v4/oidc/projects/P'
const replaced = 'another battery of horses'
const withKey = { 'x-service-key': 'P' }

interface Mail {
  readonly purpose: string
  readonly code: string | null
  readonly link: string | null
  readonly body: string
}

let platform: Platform
beforeAll(async () => {
  const options = { clock: 'frozen', trustProxy: true, audit: 'instance-1' } as const
  platform = await createPlatform({ projects: [project('P'), project('Q')], ...options })
})
afterAll(() => platform.close())
beforeEach(async () => {
  // One day, so that no limit of an earlier test applies.
  await advance(24 * 60)
  await control(platform, 'P', 'PUT', '/identity', people)
  await control(platform, 'P', 'DELETE', '/inbox')
})

const advance = (minutes: number) =>
  platform.fetch(
    new Request(`${origin}/_platform/clock`, {
      method: 'POST',
      body: JSON.stringify({ advanceMs: minutes * 60_000 }),
    }),
  )

const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  platform.fetch(
    new Request(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
      body: new URLSearchParams(form).toString(),
    }),
  )
const ask = (username: string, sender = '10.0.0.1', headers = {}) =>
  post(`${issuer}/forgot`, { username }, { 'x-forwarded-for': sender, ...headers })
const choose = (code: string, secret = replaced, path = issuer, headers = {}) =>
  post(`${path}/reset?${new URLSearchParams({ code })}`, { password: secret }, headers)

const inbox = async (recipient = 'ada@example.com'): Promise<readonly Mail[]> => {
  const query = new URLSearchParams({ recipient })
  return (await (await control(platform, 'P', 'GET', `/inbox?${query}`)).json()) as Mail[]
}
/** Requests a reset. @returns the code of its mail */
async function codeFor(username: string): Promise<string> {
  await control(platform, 'P', 'DELETE', '/inbox')
  expect((await ask(username)).status).toBe(200)
  return (await inbox()).find(({ purpose }) => purpose === 'PasswordReset')!.code!
}
/** Tries to sign in. @returns the status of the page, or 302 if it succeeds */
async function statusOfSignIn(secret: string, username = 'ada'): Promise<number> {
  const browser = browserOn(platform)
  const query = new URLSearchParams({ ...withKey, clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
  const { page } = await browser.open(address)
  const result = await submitLogin(browser, page!, username, secret)
  return result.left ? 302 : result.page!.status
}
const errorOf = async (response: Response) => [
  response.status,
  /role="alert">([^<]+)/.exec(await response.text())?.[1],
]
const over = 'The link was already used, or has expired. Request a new one.'

it('is reached from the sign-in page, and sets a new password by a link in a mail', async () => {
  const browser = browserOn(platform)
  const query = new URLSearchParams({ ...withKey, clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { page } = await browser.open(
    ((await begun.json()) as { redirect_uri: string }).redirect_uri,
  )
  const [, forgot] = /href="([^"]+)">Forgot/.exec(await page!.text())!
  const asked = await (await browser.send(forgot!)).text()
  expect(asked).toMatch(/<label for="username">/)
  const [, action] = /action="([^"]+)"/.exec(asked)!
  expect((await post(action!, { username: 'ADA@example.com ' })).status).toBe(200)
  const [mail] = await inbox()
  expect(mail).toMatchObject({
    purpose: 'PasswordReset',
    body: expect.stringContaining(mail!.link!),
  })
  expect(mail!.link).toBe(`${origin}${issuer}/reset?code=${mail!.code}`)

  const opened = await browser.send(mail!.link!)
  // The address contains the code: no other site may learn it.
  expect(opened.headers.get('referrer-policy')).toBe('same-origin')
  expect(opened.headers.get('cache-control')).toBe('no-store')
  const shown = await opened.text()
  expect(shown).toMatch(/autocomplete="new-password"/)
  const [, save] = /action="([^"]+)"/.exec(shown)!
  const saved = await post(save!.replaceAll('&amp;', '&'), { password: replaced })
  expect(saved.status).toBe(200)
  expect(saved.headers.get('location')).toBeNull()
  expect([await statusOfSignIn(password), await statusOfSignIn(replaced)]).toEqual([401, 302])
  expect((await inbox()).map(({ purpose }) => purpose)).toContain('PasswordChanged')
})

it('ends all sessions of the user, and of nobody else', async () => {
  const [first, second, other] = [
    await signIn(platform, 'P'),
    await signIn(platform, 'P'),
    await signIn(platform, 'P', 'bob@example.com'),
  ]
  const statuses = async () =>
    Promise.all(
      [first, second, other].map(
        async ({ browser }) => (await browser.send('/iam/v4/iam/me', { headers: withKey })).status,
      ),
    )
  const renew = () =>
    first!.browser.send('/iam/v4/oidc/token', {
      method: 'POST',
      headers: { ...withKey, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&client_id=web',
    })
  const code = await codeFor('ada')
  expect(await statuses()).toEqual([200, 200, 200])
  expect((await choose(code)).status).toBe(200)
  expect(await statuses()).toEqual([401, 401, 200])
  expect((await renew()).status).toBe(400)
})

it('uses a code once, for 30 minutes, and only the codes of its project', async () => {
  const [older, newer] = [await codeFor('ada'), await codeFor('ada')]
  expect(older).not.toBe(newer)
  expect(await errorOf(await choose(newer, replaced, '/iam/v4/oidc/projects/Q'))).toEqual([
    400,
    over,
  ])
  expect(await errorOf(await choose(newer, 'short'))).toEqual([
    400,
    'The password must have at least 8 characters.',
  ])
  const both = await Promise.all([choose(newer), choose(newer)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  // A new password makes the other links useless.
  expect(await errorOf(await choose(older))).toEqual([400, over])
  await advance(60)
  const late = await codeFor('ada')
  await advance(30)
  expect(await errorOf(await choose(late))).toEqual([400, over])
})

it('cannot be read from the database or the audit log, which names the user', async () => {
  const code = await codeFor('ada')
  await choose(code)
  const entries = await (
    await platform.fetch(new Request(`${origin}/_platform/audit?limit=1000`))
  ).text()
  const all = JSON.parse(entries) as readonly Record<string, unknown>[]
  expect(all).toContainEqual(
    expect.objectContaining({
      actor: 'user:ada',
      operation: `POST ${issuer}/reset`,
      kind: 'users',
      action: 'update',
      records: ['ada'],
    }),
  )
  expect(entries).not.toContain(code)
  const exported = await (await control(platform, 'P', 'GET', '/export')).text()
  expect(exported).not.toContain(code)
})

describe('the response to a request', () => {
  const normal = async (response: Response) => {
    const headers = [...response.headers].filter(([name]) => name !== 'x-request-id')
    return { status: response.status, headers, text: await response.text() }
  }

  it('is the same for accounts that exist, do not exist, are inactive or sign in elsewhere', async () => {
    const users = [
      ...people.users,
      { itemId: 'off', email: 'off@example.com', password, active: false },
      { itemId: 'sso', email: 'sso@example.com', password, allowedLogInType: [2] },
    ]
    await control(platform, 'P', 'PUT', '/identity', { ...people, users })
    const names = [
      'ada',
      'bob@example.com',
      'nobody',
      'off@example.com',
      'sso@example.com',
      '',
      '\0',
    ]
    const responses = await Promise.all(
      names.map(async (name, at) => normal(await ask(name, `10.0.1.${at}`))),
    )
    expect(responses[0]!.status).toBe(200)
    for (const one of responses) expect(one).toEqual(responses[0])
    expect(responses[0]!.text).not.toContain('ada')
    const mails = await (await control(platform, 'P', 'GET', '/inbox')).json()
    expect((mails as { recipient: string }[]).map(({ recipient }) => recipient).sort()).toEqual([
      'ada@example.com',
      'bob@example.com',
    ])
  })

  it.each(['ada', 'nobody'])('is 429 after three mails for %s, from any address', async (name) => {
    const statuses: number[] = []
    for (const senders of [[1, 2, 3], [4]]) {
      const responses = await Promise.all(senders.map((at) => ask(name, `10.0.2.${at}`)))
      statuses.push(...responses.map(({ status }) => status))
    }
    expect(statuses).toEqual([200, 200, 200, 429])
    await advance(15)
    expect((await ask(name, '10.0.2.5')).status).toBe(200)
  })

  it('is 429 after ten accounts of one address', async () => {
    const names = Array.from({ length: 11 }, (_, at) => `name${at}`)
    const responses = await Promise.all(names.map((name) => ask(name, '10.0.3.1')))
    const refused = responses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(1)
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

it('refuses forms of other sites, and more than ten wrong codes of one address', async () => {
  const code = await codeFor('ada')
  for (const headers of [
    { origin: 'https://app.example' },
    { 'sec-fetch-site': 'cross-site', origin: '' },
  ]) {
    const { origin: from, ...rest } = headers as { origin: string }
    const given = from === '' ? { ...rest, origin: 'null' } : { ...rest, origin: from }
    expect([403, 406]).toContain((await ask('ada', '10.0.4.1', given)).status)
    expect([403, 406]).toContain((await choose(code, replaced, issuer, given)).status)
  }
  const statuses = await Promise.all(
    Array.from({ length: 11 }, async (_, at) => (await choose(`wrong${at}`)).status),
  )
  expect(statuses.toSorted()).toEqual([...Array(10).fill(400), 429])
  expect((await choose(code)).status).toBe(429)
  expect(await statusOfSignIn(password)).toBe(302)
})

it('does not sign in an account that was deactivated after the mail', async () => {
  const code = await codeFor('ada')
  // A project keeps an administrator.
  const [ada, bob] = people.users
  const users = [
    { ...ada, active: false },
    { ...bob, roles: ['admin'] },
  ]
  await control(platform, 'P', 'PUT', '/identity', { ...people, users })
  expect(await errorOf(await choose(code))).toEqual([400, over])
})
