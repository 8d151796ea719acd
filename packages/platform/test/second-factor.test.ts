import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { asAdministrator } from './administrator.ts'
import { type Browser, browserOn } from './browser.ts'
import { appUri, control, origin, password, people, submitLogin } from './people.ts'
import { project } from './projects.ts'

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ projects: [project('P')], clock: 'frozen' })
  await control(platform, 'P', 'PUT', '/identity', people)
})
afterAll(() => platform.close())

let count = 0
/** Creates a user and returns its name. */
async function made(changes: object): Promise<string> {
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
async function asked(name: string) {
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

it('asks for a code after the password, and tells so of the user', async () => {
  const email = await made({ mfaEnabled: true, userMfaType: 2 })
  const { browser, action } = await asked(email)
  const [code] = await codesFor(email)
  expect(code).toMatch(/^\d{6}$/)
  const refused = await give(browser, action, wrong(code!))
  expect(refused.page?.status).toBe(401)
  expect(await refused.page!.text()).toContain('The code is wrong.')
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

it('sends it to the telephone where the user has one for that', async () => {
  const email = await made({ mfaEnabled: true, userMfaType: 3, phoneNumber: '+1 777' })
  await asked(email)
  expect([await codesFor('+1 777'), await codesFor(email)]).toEqual([[expect.any(String)], []])
})

it('takes no code too late, too often, twice, or in another browser', async () => {
  const email = await made({ mfaEnabled: true })
  const late = await asked(email)
  const [first] = await codesFor(email)
  await advance(9)
  expect((await give(browserOn(platform), late.action, first!)).page?.status).toBe(400)
  await advance(1)
  // The sign-in itself has expired by then.
  expect((await give(late.browser, late.action, first!)).page?.status).toBe(400)

  const often = await asked(email)
  const code = (await codesFor(email)).find((one) => one !== first)!
  for (const fault of [...Array<string>(4).fill('The code is wrong.'), 'Too many wrong codes']) {
    const refused = await give(often.browser, often.action, wrong(code))
    expect(await refused.page!.text()).toContain(fault)
  }
  expect((await give(often.browser, often.action, code)).page?.status).toBe(401)
})

it('lets nobody in with a password who signs in elsewhere', async () => {
  const { browser, page } = await opened()
  const refused = await submitLogin(browser, page, await made({ allowedLogInType: [2] }))
  expect(refused.page?.status).toBe(401)
  expect(await refused.page!.text()).toContain('signs in elsewhere')
  const again = await opened()
  const { left } = await submitLogin(
    again.browser,
    again.page,
    await made({ allowedLogInType: [2, 1] }),
  )
  expect(left?.searchParams.get('code')).toBeTruthy()
})
