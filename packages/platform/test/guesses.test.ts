import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { browserOn } from '@servicekit/testing/cookie-browser'
import {
  addressIn,
  appUri,
  control,
  origin,
  password,
  people,
  submitLogin,
} from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const users = [
  ...people.users,
  { itemId: 'bill', email: 'bill@example.com', userName: 'bill', password },
  { itemId: 'odysseus', email: 'odysseus@example.com', userName: 'ΟΔΥΣΣΕΥΣ', password },
]
let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({ clock: 'frozen', projects: [project('P')] })
  expect((await control(platform, 'P', 'PUT', '/identity', { ...people, users })).status).toBe(204)
})
afterAll(() => platform?.close())

/** Opens the page to sign in, and submits a name with a wrong password. */
async function guess(name: string): Promise<number> {
  const browser = browserOn(platform)
  const query = new URLSearchParams({ 'x-service-key': 'P', clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { page } = await browser.open(await addressIn(begun))
  const sent = await submitLogin(browser, page!, name, 'a wrong password')
  return sent.page!.status
}

it.each([
  ['bill', ['bill', 'BILL', 'bİll', 'BİLL', 'bill@example.com', ' Bill@Example.com']],
  ['ΟΔΥΣΣΕΥΣ', ['ΟΔΥΣΣΕΥΣ', 'οδυσσευσ', 'ΟΔΥΣΣΕΥσ']],
  ['nobody', ['nobody', 'Nobody ', '\u00a0NOBODY']],
])('checks ten passwords of %s under all names of the account together', async (_, names) => {
  const statuses: number[] = []
  for (let count = 0; count < 12; count++) {
    statuses.push(await guess(names[count % names.length]!))
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
})

it('sends three mails for a new password under all names of an account together', async () => {
  const statuses: number[] = []
  for (const username of ['bill', 'bİll', 'bill@example.com', 'BILL']) {
    const sent = await platform.fetch(
      new Request(`${origin}/iam/v4/oidc/projects/P/forgot`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams({ username }),
      }),
    )
    statuses.push(sent.status)
  }
  expect(statuses).toEqual([200, 200, 200, 429])
})

describe('a client', () => {
  const secret = 'the secret of the boss'
  const hash = createHash('sha256').update(secret).digest('base64url')

  it.each([
    ['its secret', 'Basic', secret],
    ['the stored hash of its secret', 'Basic', hash],
    ['the stored hash of its secret', 'bASIC', hash],
  ])('cannot send %s in a header Authorization: %s', async (_, scheme, given) => {
    const credentials = btoa(`boss:${encodeURIComponent(given)}`)
    const form = { grant_type: 'client_credentials', org_id: 'default' }
    for (const path of ['token', 'revoke', 'Token', 'token/']) {
      const sent = await platform.fetch(
        new Request(`${origin}/iam/v4/oidc/projects/P/${path}`, {
          method: 'POST',
          headers: { authorization: `${scheme} ${credentials}` },
          body: new URLSearchParams({ ...form, token: 'x' }),
        }),
      )
      expect([path, sent.status, await sent.json()]).toMatchObject([
        path,
        401,
        { error: 'invalid_client', error_description: expect.stringContaining('in the form') },
      ])
    }
  })
})
