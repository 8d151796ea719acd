import { Rejection } from '@servicekit/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { type Browser, browserOn } from '@servicekit/testing/cookie-browser'
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

const mia = { itemId: 'mia', email: 'mia@example.com', password }
let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ clock: 'frozen', trustProxy: true, projects: [project('P')] })
  const users = [...people.users, mia]
  const saved = await control(platform, 'P', 'PUT', '/identity', { ...people, users })
  expect(saved.status).toBe(204)
  const { browser } = await signIn(platform, 'P', 'ada')
  const updated = await browser.send('/idp/v1/Iam/Update', {
    method: 'POST',
    headers: { 'x-service-key': 'P' },
    body: JSON.stringify({ itemId: 'mia', mfaEnabled: true }),
  })
  expect(await updated.json()).toMatchObject({ isSuccess: true })
})
afterAll(() => platform.close())

const minutes = (count: number) =>
  platform.fetch(
    new Request(`${origin}/_platform/clock`, {
      method: 'POST',
      body: JSON.stringify({ advanceMs: count * 60_000 }),
    }),
  )

/** Sends requests to the platform from a client address. */
const from = (address: string): Pick<Platform, 'fetch'> => ({
  fetch: (request) => {
    request.headers.set('x-forwarded-for', address)
    return platform.fetch(request)
  },
})

async function loginPage(sender: Pick<Platform, 'fetch'>) {
  const browser = browserOn(sender)
  const query = new URLSearchParams({ 'x-service-key': 'P', clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
  return { browser, page: (await browser.open(address)).page! }
}

/** Submits a password from an address; resolves with the status and the text of the page. */
async function attempt(address: string, name: string, secret = 'wrong password') {
  const { browser, page } = await loginPage(from(address))
  const { page: answer, left } = await submitLogin(browser, page, name, secret)
  if (left) return { status: 302, text: '', retryAfter: null }
  return {
    status: answer!.status,
    text: /role="alert">([^<]+)/.exec(await answer!.text())?.[1],
    retryAfter: answer!.headers.get('retry-after'),
  }
}

async function attempts(count: number, address: string, name: string) {
  const all: Awaited<ReturnType<typeof attempt>>[] = []
  for (let index = 0; index < count; index++) all.push(await attempt(address, name))
  return all
}

const renew = (browser: Browser) =>
  browser.send('/iam/v4/oidc/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-service-key': 'P' },
    body: 'grant_type=refresh_token&client_id=web',
  })

it('responds the same for known and unknown accounts, however many passwords are wrong', async () => {
  const [known, unknown] = [
    await attempts(14, '192.0.2.1', 'bob@example.com'),
    await attempts(14, '192.0.2.1', 'nobody@example.com'),
  ]
  expect(known).toEqual(unknown)
  expect(known.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill(401))
  expect(known.at(-1)).toEqual({
    status: 429,
    text: expect.stringMatching(/^Too many attempts\. Try again in \d+ seconds\.$/),
    retryAfter: expect.stringMatching(/^\d+$/),
  })
  await minutes(1)
})

it('rejects the right password for a minute after ten wrong ones, and does not lock the account', async () => {
  await attempts(10, '192.0.2.2', 'bob@example.com')
  const { status, retryAfter } = await attempt('192.0.2.2', 'bob@example.com', password)
  expect([status, retryAfter]).toEqual([429, '60'])
  expect((await attempt('192.0.2.22', 'bob@example.com', password)).status).toBe(302)
  await minutes(1)
  expect((await attempt('192.0.2.2', 'bob@example.com', password)).status).toBe(302)
  // The right password resets the count.
  expect((await attempts(3, '192.0.2.2', 'bob@example.com')).map(({ status }) => status)).toEqual([
    401, 401, 401,
  ])
})

it('affects neither sessions nor sign-ins from other addresses', async () => {
  const { browser } = await signIn(from('192.0.2.3'), 'P', 'ada')
  await attempts(13, '192.0.2.4', 'ada')
  expect((await attempt('192.0.2.4', 'ada', password)).status).toBe(429)
  expect((await renew(browser)).status).toBe(200)
  const me = await browser.send('/iam/v4/iam/me', { headers: { 'x-service-key': 'P' } })
  expect(me.status).toBe(200)
  expect((await attempt('192.0.2.3', 'ada', password)).status).toBe(302)
})

it('counts attempts of an IPv6 network together', async () => {
  for (let index = 0; index < 13; index++)
    await attempt(`2001:db8:1:2::${index}`, 'bob@example.com')
  expect((await attempt('2001:db8:1:2:ffff::1', 'bob@example.com')).status).toBe(429)
  expect((await attempt('2001:db8:1:3::1', 'bob@example.com')).status).toBe(401)
})

const post = (address: string, path: string, body: string | URLSearchParams) =>
  from(address).fetch(
    new Request(`${origin}${path}`, { method: 'POST', headers: { 'x-service-key': 'P' }, body }),
  )

/** Repeats a request until it is throttled, and checks that the response has `Retry-After`. */
async function untilThrottled(send: () => Promise<Response>) {
  const statuses: number[] = []
  for (let index = 0; index < 14; index++) {
    const response = await send()
    statuses.push(response.status)
    if (response.status !== 429) continue
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Rejection.parse(await response.json()).Errors.Message).toContain('Too many attempts')
  }
  expect(statuses.at(-1)).toBe(429)
  expect(statuses.slice(0, 10)).not.toContain(429)
}

it('limits guesses of activation codes of both route families and of the page', async () => {
  const guess = JSON.stringify({ code: 'guessed', password })
  await untilThrottled(() => post('192.0.2.5', '/iam/v4/auth/activate', guess))
  await untilThrottled(() => post('192.0.2.6', '/idp/v1/Iam/Activate', guess))
  const page = '/iam/v4/oidc/projects/P/activate?code=guessed'
  expect((await post('192.0.2.6', page, new URLSearchParams({ password }))).status).toBe(429)
  expect((await post('192.0.2.7', page, new URLSearchParams({ password }))).status).toBe(400)
})

it.each(['/iam/v4/oidc/token', '/iam/v4/oidc/projects/P/token', '/iam/v4/oidc/projects/P/revoke'])(
  'limits guesses of client secrets at %s, for known and unknown clients alike',
  async (path) => {
    const form = { grant_type: 'client_credentials', org_id: 'default', token: 'x' }
    for (const client_id of ['job', 'unknown']) {
      const address = `192.0.2.8 ${path} ${client_id}`
      const wrong = { ...form, client_id, client_secret: 'guessed' }
      await untilThrottled(() => post(address, path, new URLSearchParams(wrong)))
    }
    const right = { ...form, client_id: 'job', client_secret: 'the secret of the job' }
    expect((await post('192.0.2.9', path, new URLSearchParams(right))).status).toBe(200)
  },
)

it('never limits requests with the right client secret', async () => {
  const right = {
    grant_type: 'client_credentials',
    client_id: 'job',
    client_secret: 'the secret of the job',
    org_id: 'default',
  }
  const send = () => post('192.0.2.10', '/iam/v4/oidc/token', new URLSearchParams(right))
  const responses = await Promise.all(Array.from({ length: 30 }, send))
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
})

it('limits guesses of second-factor codes per user, across addresses and sign-ins', async () => {
  const guess = async (index: number) => {
    const { browser, page } = await loginPage(from(`192.0.3.${index}`))
    const codePage = await submitLogin(browser, page, 'mia@example.com')
    const action = /action="([^"]+)"/.exec(await codePage.page!.text())![1]!
    const { page: answer } = await browser.open(action, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      body: new URLSearchParams({ code: 'wrong' }).toString(),
    })
    return answer!.status
  }
  const statuses: number[] = []
  for (let index = 0; index < 14; index++) statuses.push(await guess(index))
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401))
  expect(statuses.at(-1)).toBe(429)
})
