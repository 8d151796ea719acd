import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { onEachEngine } from '@servicekit/testing/engines'
import { control, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

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
