import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, parseProject, type Platform } from '../src/index.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { control, submitLogin } from '@servicekit/testing/people'
import { storefront, storefrontKey } from '@servicekit/testing/projects'

describe('a project with identity.json', () => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform({ projects: [storefront] })
  })
  afterAll(() => platform.close())

  it('has its clients and users after startup', async () => {
    const query = new URLSearchParams({
      'x-service-key': storefrontKey,
      clientId: 'storefront-web',
      redirectUri: 'http://localhost:5173/callback',
    })
    const browser = browserOn(platform)
    const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
    const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
    const { page } = await browser.open(address)
    const { left } = await submitLogin(browser, page!, 'ines', 'storefront')
    expect(left?.href).toMatch(/^http:\/\/localhost:5173\/callback\?code=/)
  })

  it('keeps users created at run time when it is reloaded', async () => {
    const users = { users: [{ email: 'new@example.com' }] }
    await control(platform, storefrontKey, 'PUT', '/identity', users)
    await platform.loadProject(storefront)
    const response = await asAdministrator(platform).fetch(
      new Request('http://platform.local/idp/v1/Iam/GetUsers', {
        method: 'POST',
        headers: { 'x-service-key': storefrontKey },
        body: '{}',
      }),
    )
    const { data } = (await response.json()) as { data: { email: string }[] }
    expect(data.map(({ email }) => email)).toEqual([
      'ines@storefront.example',
      'tom@storefront.example',
      'new@example.com',
    ])
  })

  it('is rejected if it is invalid', () => {
    const wrong = { name: 'P', projectKey: 'P', identity: { clients: [{ clientID: 'web' }] } }
    expect(() => parseProject(wrong)).toThrow(/clients/)
  })
})
