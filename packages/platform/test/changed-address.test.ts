import { expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { control, origin, password, people } from '@servicekit/testing/people'
import { machineToken } from '@servicekit/testing/administrator'
import { project } from '@servicekit/testing/projects'

const open = async () => {
  const platform = await createPlatform({ projects: [project('P')] })
  expect((await control(platform, 'P', 'PUT', '/identity', people)).status).toBe(204)
  return platform
}

/** Returns the code of the mail to an address. */
async function codeTo(platform: Platform, address: string): Promise<string> {
  const mails = (await (await control(platform, 'P', 'GET', '/inbox')).json()) as {
    recipient: string
    code: string
  }[]
  return mails.find(({ recipient }) => recipient === address)!.code
}

/** Imports the project with another address of a user. */
async function changeAddress(platform: Platform, from: string, to: string): Promise<void> {
  const exported = await (await control(platform, 'P', 'GET', '/export?secrets=true')).text()
  const body = exported.replaceAll(from, to)
  expect(body).not.toBe(exported)
  const request = new Request(`${origin}/_platform/projects`, { method: 'POST', body })
  expect((await platform.fetch(request)).status).toBe(200)
}

it('a link for a new password does not work after the user has another address', async () => {
  await using platform = await open()
  const submit = (page: string, form: Record<string, string>) =>
    platform.fetch(
      new Request(`${origin}/iam/v4/oidc/projects/P/${page}`, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams(form),
      }),
    )
  await submit('forgot', { username: 'bob@example.com' })
  const code = await codeTo(platform, 'bob@example.com')
  await changeAddress(platform, 'bob@example.com', 'robert@example.com')
  const sent = await submit(`reset?code=${code}`, { code, password: 'another horse' })
  expect([sent.status, await sent.text()]).toEqual([400, expect.stringContaining('already used')])
})

it('an invitation does not work after the user has another address', async () => {
  await using platform = await open()
  const token = await machineToken(platform, 'P')
  const send = (path: string, body: object, headers = {}) =>
    platform.fetch(
      new Request(`${origin}${path}`, {
        method: 'POST',
        headers: { 'x-service-key': 'P', ...headers },
        body: JSON.stringify(body),
      }),
    )
  const user = { email: 'new@example.com', userName: 'new', password: '', memberships: [] }
  expect(
    (await send('/idp/v1/Iam/Create', user, { authorization: `Bearer ${token}` })).status,
  ).toBe(200)
  const code = await codeTo(platform, 'new@example.com')
  await changeAddress(platform, 'new@example.com', 'other@example.com')
  const activated = await send('/idp/v1/Iam/Activate', { code, password })
  expect(await activated.json()).toMatchObject({
    isSuccess: false,
    errors: { code: expect.stringContaining('The code is wrong') },
  })
})
