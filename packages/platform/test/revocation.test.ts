import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { appUri, control, people, signIn, submitLogin } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

/** Signs in with the cookies that the browser has, with the password if it is asked for. */
async function signInAgain(browser: Browser): Promise<void> {
  const query = new URLSearchParams({ 'x-service-key': 'P', clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
  const opened = await browser.open(address)
  const { left } = opened.page ? await submitLogin(browser, opened.page, 'ada') : opened
  const callback = await browser.send(`/iam/v4/idp/callback${left!.search}`, {
    headers: { 'x-service-key': 'P' },
  })
  expect(callback.status).toBe(200)
}

onEachEngine((engine) => {
  describe('authorization', () => {
    let instances: Platform[]
    beforeAll(async () => {
      const location = await engine.location()
      const first = await createPlatform({ ...location, projects: [project('P')] })
      // An embedded database belongs to one instance.
      const others = engine.name === 'PGlite' ? [] : [await createPlatform(location)]
      instances = [first, ...others]
      await control(first, 'P', 'PUT', '/identity', people)
    })
    afterAll(() => Promise.all((instances ?? []).map((one) => one.close())))

    const headers = { 'x-service-key': 'P' }
    type Signed = Awaited<ReturnType<typeof signIn>>['browser']
    const create = { method: 'POST', body: '{"name":"Mine"}', headers: { ...headers } }
    let current: Platform
    const proxy = { fetch: (request: Request) => current.fetch(request) }
    /** Sends a request to every instance, as a proxy would. */
    const statuses = async (browser: Signed, path: string, how: object = { headers }) => {
      const found: number[] = []
      for (current of instances) found.push((await browser.send(path, how)).status)
      return found
    }
    const each = (status: number) => instances.map(() => status)

    it('ends at once on every instance when a role is removed or an account is deactivated', async () => {
      current = instances[0]!
      const { browser } = await signIn(proxy, 'P', 'bob@example.com')
      const last = instances.at(-1)!
      const settings = (administratorRoles: string[]) => ({ settings: { administratorRoles } })
      await control(last, 'P', 'PUT', '/identity', settings(['member']))
      for (let time = 0; time < 3; time++) {
        expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(200))
        expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(
          each(200),
        )
      }
      await control(last, 'P', 'PUT', '/identity', settings(['admin']))
      expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(each(403))
      expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(200))
      await control(last, 'P', 'PUT', '/identity', settings(['member']))
      expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(each(200))
      const { browser: admin } = await signIn(proxy, 'P')
      const off = { ...create, body: '{"userId":"bob"}' }
      await control(last, 'P', 'PUT', '/identity', settings(['admin']))
      current = last
      // A user who created organizations may not be deactivated by another administrator.
      expect((await admin.send('/iam/v4/iam/users/deactivate', off)).status).toBe(403)
      await control(last, 'P', 'PUT', '/identity', {
        users: [{ email: 'bob@example.com', active: false }],
      })
      expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(401))
      expect(await statuses(browser, '/iam/v4/iam/organizations/create', create)).toEqual(each(401))
      expect(await statuses(admin, '/iam/v4/iam/me')).toEqual(each(200))
    })

    describe('of a user whose account changes', () => {
      const bob = 'bob@example.com'
      const put = (changes: object) =>
        control(instances[0]!, 'P', 'PUT', '/identity', { users: [{ email: bob, ...changes }] })
      const renew = (browser: Signed) =>
        browser.send('/iam/v4/oidc/token', {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: 'grant_type=refresh_token&client_id=web',
        })
      const signed = async () => {
        current = instances[0]!
        await put({ active: true, password: people.users[0]!.password })
        return (await signIn(proxy, 'P', bob)).browser
      }
      const ended = async (browser: Signed) => {
        expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(401))
        expect(await statuses(browser, '/iam/v4/oidc/session')).toEqual(each(404))
        expect((await renew(browser)).status).toBe(400)
      }
      const imported = async (change: (row: Record<string, unknown>) => object) => {
        const project = (await (
          await control(instances[0]!, 'P', 'GET', '/export?secrets=true')
        ).json()) as { rows: { users: Record<string, unknown>[] } }
        const users = project.rows.users.map((row) =>
          row['email'] === bob ? { ...row, ...change(row) } : row,
        )
        const body = JSON.stringify({ ...project, rows: { users } })
        const address = 'http://platform.local/_platform/projects'
        return instances[0]!.fetch(new Request(address, { method: 'POST', body }))
      }

      it('ends with a new password of a file, and not with the same one', async () => {
        const browser = await signed()
        expect((await put({ password: people.users[0]!.password })).status).toBe(204)
        expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(200))
        await put({ password: 'another long password' })
        await ended(browser)
        await put({ password: people.users[0]!.password })
        await ended(browser)
      })

      it('ends with a deactivation by a file, and does not revive', async () => {
        const browser = await signed()
        expect((await put({ active: false })).status).toBe(204)
        await ended(browser)
        await put({ active: true })
        await ended(browser)
        const again = await signed()
        await put({ active: false })
        await control(instances[0]!, 'P', 'POST', '/users/bob/activate')
        await ended(again)
      })

      it.each([
        ['deactivates the user', () => ({ active: false })],
        ['changes the password', () => ({ password_hash: null })],
      ])('ends with an import that %s', async (_, change) => {
        const browser = await signed()
        expect((await imported(() => ({}))).status).toBe(200)
        expect(await statuses(browser, '/iam/v4/iam/me')).toEqual(each(200))
        expect((await imported(change)).status).toBe(200)
        await ended(browser)
        await put({ active: true, password: people.users[0]!.password })
        await ended(browser)
      })
    })

    it.each([
      ['by the same sign-in', undefined],
      ['by a new sign-in', /^_/],
    ])('ends for all sessions of a browser with one sign-out: %s', async (_, forgotten) => {
      current = instances[0]!
      let sent = ''
      const recorder = {
        fetch: (request: Request) => {
          sent = request.headers.get('cookie') ?? ''
          return current.fetch(request)
        },
      }
      const { browser } = await signIn(recorder, 'P')
      await browser.send('/iam/v4/iam/me', { headers })
      const first = sent
      const firstStatus = async () => {
        const me = new Request('http://platform.local/iam/v4/iam/me', {
          headers: { ...headers, cookie: first },
        })
        return (await current.fetch(me)).status
      }
      expect(await firstStatus()).toBe(200)
      if (forgotten) browser.forget(forgotten)
      await signInAgain(browser)
      const out = { method: 'POST', headers, body: '{}' }
      expect((await browser.send('/iam/v4/auth/Logout', out)).status).toBe(200)
      expect(await firstStatus()).toBe(401)
    })

    it('accepts the access token of a session only in its cookie', async () => {
      current = instances[0]!
      let sent = ''
      const recorder = {
        fetch: (request: Request) => {
          sent = request.headers.get('cookie') ?? ''
          return current.fetch(request)
        },
      }
      const { browser } = await signIn(recorder, 'P')
      await browser.send('/iam/v4/iam/me', { headers })
      const [cookie = '', token = ''] = /sk_access_\w+=([^;]+)/.exec(sent) ?? []
      const status = async (proofs: Readonly<Record<string, string>>) => {
        const all = { ...headers, ...proofs }
        const me = new Request('http://platform.local/iam/v4/iam/me', { headers: all })
        return (await current.fetch(me)).status
      }
      expect(await status({ cookie })).toBe(200)
      expect(await status({ authorization: `Bearer ${token}` })).toBe(401)
      expect(await status({ authorization: `Bearer ${token}`, cookie })).toBe(200)
    })
  })
})
