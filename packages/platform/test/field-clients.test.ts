import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import type { Browser } from '@servicekit/testing/cookie-browser'
import { control, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

/** Requests of existing front ends that go beyond what the interface documents. */
describe('an existing client', () => {
  let platform: Platform
  let ada: Browser
  beforeAll(async () => {
    platform = await createPlatform({ projects: [project('P', {}, { identity: people as never })] })
    ada = (await signIn(platform, 'P', 'ada')).browser
  })
  afterAll(() => platform.close())

  const post = async (path: string, body: unknown) => {
    const response = await ada.send(path, {
      method: 'POST',
      headers: { 'x-service-key': 'P', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  it.each(['GetUsers', 'GetAccounts'])('reads the first page of %s as page 0', async (name) => {
    const path = `/idp/v1/Iam/${name}`
    const sort = { property: 'email', isDescending: false }
    const [zero, one] = [
      await post(path, { page: 0, pageSize: 1, sort }),
      await post(path, { page: 1, pageSize: 1, sort }),
    ]
    expect(zero.status).toBe(200)
    expect(zero).toEqual(one)
    expect((await post(path, { page: -1 })).status).toBe(400)
  })

  it('invites a user by Create without a user name and password', async () => {
    const invite = async (body: object) => {
      const created = await post('/idp/v1/Iam/Create', body)
      expect(created).toMatchObject({ status: 200, body: { active: false, isVarified: false } })
      const inbox = await control(platform, 'P', 'GET', `/inbox?recipient=${created.body['email']}`)
      expect(await inbox.json()).toMatchObject([
        { purpose: 'Invitation', code: expect.any(String) as string },
      ])
      return created.body['userName']
    }
    expect(await invite({ email: 'gil@example.com' })).toBe('gil@example.com')
    expect(await invite({ email: 'gus@example.com', userName: 'gus', password: '' })).toBe('gus')
    expect(await invite({ email: 'gaia@example.com', userName: null, password: null })).toBe(
      'gaia@example.com',
    )
    expect((await post('/idp/v1/Iam/Create', {})).status).toBe(400)
  })

  it('finds the upload address and the id of a file by any of their names', async () => {
    const { body } = await post('/data/v4/Files/GetPreSignedUrlForUpload', { name: 'a.txt' })
    expect(body['uploadUrl']).toMatch(/^http/)
    expect(body).toMatchObject({
      preSignedUrl: body['uploadUrl'],
      fileId: body['itemId'],
      itemId: expect.any(String) as string,
    })
  })
})
