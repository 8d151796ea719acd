import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlOperations, identity } from '@servicekit/contract/control'
import { createPlatform, type Platform } from '../src/index.ts'
import { origin } from '@servicekit/testing/people'
import { storefront, storefrontKey as key } from '@servicekit/testing/projects'

let platform: Platform
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
  platform.fetch(new Request(`${origin}${path}`, { method, headers, body: body ?? null }))
const inbox = `/_platform/projects/${key}/inbox`

beforeAll(async () => {
  platform = await createPlatform({ projects: [storefront] })
  const forgot = new URLSearchParams({ username: 'tom@storefront.example' })
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
  await send('POST', `/iam/v4/oidc/projects/${key}/forgot`, headers, forgot.toString())
  expect(await (await send('GET', inbox)).json()).toHaveLength(1)
})
afterAll(() => platform?.close())

// Without Origin and Referer, as an image of a page with `Referrer-Policy: no-referrer` sends it.
const routes = controlOperations
  .filter((operation) => operation !== identity.redeemSignInTicket)
  .map(({ route }) => [route.method, route.path] as const)

it.each(routes)('refuses %s %s from a page of another site', async (method, path) => {
  const address = path.replace('{project}', key).replaceAll(/\{\w+\}/g, 'a')
  const response = await send(method, address, { 'sec-fetch-site': 'cross-site' })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({
    title: 'A page of another site sent this request. Open the address directly.',
  })
})

it('accepts a request of no page, of a page of this origin, and of the address bar', async () => {
  for (const site of [undefined, 'same-origin', 'same-site', 'none']) {
    const headers = site === undefined ? undefined : { 'sec-fetch-site': site }
    expect((await send('GET', inbox, headers)).status).toBe(200)
  }
})

it('keeps a mail that a GET asks for', async () => {
  const query = 'recipient=tom@storefront.example&timeoutMs=0'
  expect((await send('GET', `${inbox}/wait?${query}`)).status).toBe(405)
  expect(await (await send('GET', inbox)).json()).toHaveLength(1)
  const taken = await send('POST', `${inbox}/wait?${query}`)
  expect(await taken.json()).toMatchObject({ recipient: 'tom@storefront.example' })
  expect(await (await send('GET', inbox)).json()).toEqual([])
})
