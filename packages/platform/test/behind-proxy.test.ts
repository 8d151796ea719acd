import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '../src/index.ts'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { appUri, people, submitLogin } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const publicUrl = 'https://platform.example'

describe('a platform behind an https proxy', () => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform({
      publicUrl,
      origins: ['https://app.example'],
      cookieSameSite: 'none',
      projects: [project('P', {}, { identity: people as never })],
    })
  })
  afterAll(() => platform.close())

  /** Forwards requests to an address that only the proxy knows. */
  const proxy = {
    fetch: (request: Request) => {
      const { pathname, search } = new URL(request.url)
      return platform.fetch(new Request(`http://10.0.0.7:4600${pathname}${search}`, request))
    },
  }

  it('signs in at its public URL with cookies that other hosts cannot set', async () => {
    const browser = browserOn(proxy, publicUrl)
    const fromApp = { 'x-service-key': 'P', origin: 'https://app.example' }
    const query = new URLSearchParams({
      'x-service-key': 'P',
      clientId: 'web',
      redirectUri: appUri,
    })
    const begun = await browser.send(`/iam/v4/idp/initiate?${query}`, { headers: fromApp })
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-sk_flow_\w+=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=None$/,
      ),
    ])
    const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
    expect(address).toMatch(/^https:\/\/platform\.example\/iam\/v4\/oidc\/projects\/P\/authorize\?/)
    const asked = await browser.send(address)
    for (const cookie of asked.headers.getSetCookie()) expect(cookie).toMatch(/; secure/i)
    const { page } = await browser.open(asked.headers.get('location')!)
    const { left } = await submitLogin(browser, page!, 'ada', undefined, { origin: publicUrl })
    const at = `/iam/v4/idp/callback${left!.search}`
    const foreign = { ...fromApp, origin: 'https://evil.example' }
    expect((await browser.send(at, { headers: foreign })).status).toBe(406)
    const callback = await browser.send(at, { headers: fromApp })
    expect(callback.status).toBe(200)
    expect(callback.headers.get('access-control-allow-origin')).toBe('https://app.example')
    for (const cookie of callback.headers.getSetCookie()) {
      expect(cookie).toMatch(/^__Host-sk_.*; HttpOnly; Secure; SameSite=None$/)
    }
    expect((await browser.send('/iam/v4/iam/me', { headers: fromApp })).status).toBe(200)
  })

  it.each<[PlatformOptions, RegExp]>([
    [{ publicUrl: 'platform.example' }, /publicUrl/],
    [{ publicUrl: 'https://platform.example/path' }, /publicUrl/],
    [{ origins: ['*'] }, /origins\[0\]: \* is not an origin/],
  ])('rejects the options %j', async (options, message) => {
    await expect(createPlatform(options)).rejects.toThrow(message)
  })
})
