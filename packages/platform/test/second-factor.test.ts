import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { type Browser, browserOn } from '@servicekit/testing/cookie-browser'
import { appUri, control, origin, password, people, submitLogin } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [project('P')], clock: 'frozen' })
  await control(platform, 'P', 'PUT', '/identity', people)
})
afterAll(() => platform.close())

let count = 0
/** Creates a user and returns its name. */
async function createUser(changes: object): Promise<string> {
  const userName = `user${++count}`
  const email = `${userName}@example.com`
  const response = await asAdministrator(platform).fetch(
    new Request(`${origin}/idp/v1/Iam/Create`, {
      method: 'POST',
      headers: { 'x-service-key': 'P' },
      body: JSON.stringify({ email, userName, password, phoneNumber: '+1 555', ...changes }),
    }),
  )
  expect(await response.json()).toMatchObject({ active: true })
  return email
}
const advance = (minutes: number) =>
  platform.fetch(
    new Request(`${origin}/_platform/clock`, {
      method: 'POST',
      body: JSON.stringify({ advanceMs: minutes * 60_000 }),
    }),
  )
async function opened() {
  const browser = browserOn(platform)
  const query = new URLSearchParams({ 'x-service-key': 'P', clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
  return { browser, page: (await browser.open(address)).page! }
}
/** Submits a password. @returns the page with the code form. */
async function requestCode(name: string) {
  const { browser, page } = await opened()
  const answer = await submitLogin(browser, page, name)
  expect(answer.page?.status).toBe(200)
  const text = await answer.page!.text()
  expect(text).toContain('autocomplete="one-time-code"')
  return { browser, action: /action="([^"]+)"/.exec(text)![1]! }
}
const give = (browser: Browser, action: string, code: string) =>
  browser.open(action, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams({ code }).toString(),
  })
async function codesFor(recipient: string): Promise<readonly string[]> {
  const query = new URLSearchParams({ recipient })
  const mails = await (await control(platform, 'P', 'GET', `/inbox?${query}`)).json()
  return (mails as { purpose: string; code: string }[])
    .filter(({ purpose }) => purpose === 'SecondFactor')
    .map(({ code }) => code)
}
/** Returns a different code. */
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

it('requires a code after the password, and records it for the user', async () => {
  const email = await createUser({ mfaEnabled: true, userMfaType: 2 })
  const { browser, action } = await requestCode(email)
  const [code] = await codesFor(email)
  expect(code).toMatch(/^\d{6}$/)
  const response = await give(browser, action, wrong(code!))
  expect(response.page?.status).toBe(401)
  expect(await response.page!.text()).toContain('The code is wrong.')
  const { left } = await give(browser, action, ` ${code} `)
  const callback = await browser.send(`/iam/v4/idp/callback${left!.search}`, {
    headers: { 'x-service-key': 'P' },
  })
  expect(callback.status).toBe(200)
  const me = await browser.send('/iam/v4/iam/me', { headers: { 'x-service-key': 'P' } })
  expect(await me.json()).toMatchObject({
    data: { mfaEnabled: true, isMfaVerified: true, logInCount: 1 },
  })
})

it('sends the code to the phone number for the user types that use one', async () => {
  const email = await createUser({ mfaEnabled: true, userMfaType: 3, phoneNumber: '+1 777' })
  await requestCode(email)
  expect([await codesFor('+1 777'), await codesFor(email)]).toEqual([[expect.any(String)], []])
})

it('rejects a code that is late, repeated, from another browser, or follows too many wrong ones', async () => {
  const email = await createUser({ mfaEnabled: true })
  const late = await requestCode(email)
  const [first] = await codesFor(email)
  await advance(9)
  expect((await give(browserOn(platform), late.action, first!)).page?.status).toBe(400)
  await advance(1)
  // The sign-in itself has expired by then.
  expect((await give(late.browser, late.action, first!)).page?.status).toBe(400)

  const often = await requestCode(email)
  const code = (await codesFor(email)).find((one) => one !== first)!
  for (const error of [...Array<string>(4).fill('The code is wrong.'), 'Too many wrong codes']) {
    const response = await give(often.browser, often.action, wrong(code))
    expect(await response.page!.text()).toContain(error)
  }
  expect((await give(often.browser, often.action, code)).page?.status).toBe(401)
})

it('rejects the password of a user who signs in elsewhere', async () => {
  const { browser, page } = await opened()
  const response = await submitLogin(browser, page, await createUser({ allowedLogInType: [2] }))
  expect(response.page?.status).toBe(401)
  expect(await response.page!.text()).toContain('signs in elsewhere')
  const again = await opened()
  const { left } = await submitLogin(
    again.browser,
    again.page,
    await createUser({ allowedLogInType: [2, 1] }),
  )
  expect(left?.searchParams.get('code')).toBeTruthy()
})
