import { beforeAll, describe, expect, it } from 'vitest'
import type { Platform } from '../src/index.ts'
import { machineToken } from '@servicekit/testing/administrator'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, control, origin, password, people, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

type Row = Readonly<Record<string, unknown>>

const headers = { 'x-service-key': 'P' }
const clientId = 'test-admin'
const machine = { clientId, clientSecret: 'another secret of it', roles: ['admin'] }
const web = { clientId: 'web', redirectUris: [appUri] }

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ ...(await engine.location()), projects: [project('P')] })
    expect((await put(people)).status).toBe(204)
  })

  const put = (identity: object) => control(platform, 'P', 'PUT', '/identity', identity)
  /** Imports the project with other rows of a table. */
  const importRows = async (table: string, change: (row: Row) => readonly Row[]) => {
    const exported = await control(platform, 'P', 'GET', '/export?secrets=true')
    const { rows, ...rest } = (await exported.json()) as { rows: Record<string, Row[]> }
    const body = JSON.stringify({ ...rest, rows: { [table]: rows[table]!.flatMap(change) } })
    return platform.fetch(new Request(`${origin}/_platform/projects`, { method: 'POST', body }))
  }

  describe('the code of a mail', () => {
    it.each([
      ['deactivated', 'a file', (email: string) => put({ users: [{ email, active: false }] })],
      [
        'given another password',
        'a file',
        (email: string) => put({ users: [{ email, password: 'another long password' }] }),
      ],
      [
        'deactivated',
        'an import',
        (email: string) =>
          importRows('users', (row) => [row['email'] === email ? { ...row, active: false } : row]),
      ],
    ])('is invalid when the user is %s by %s', async (how, door, change) => {
      const email = `${how}-${door}@example.com`.replaceAll(' ', '-')
      const { browser } = await signIn(platform, 'P')
      const body = JSON.stringify({ email, userName: email, password: 'the first password' })
      await browser.send('/idp/v1/Iam/Create', { method: 'POST', headers, body })
      const inbox = await control(platform, 'P', 'GET', `/inbox?recipient=${email}`)
      const [mail] = (await inbox.json()) as { code: string }[]

      expect((await change(email)).ok).toBe(true)
      const activated = await platform.fetch(
        new Request(`${origin}/idp/v1/Iam/Activate`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ code: mail!.code, password }),
        }),
      )
      expect(await activated.json()).toMatchObject({
        isSuccess: false,
        errors: { code: 'The code is wrong, was already used, or has expired.' },
      })
    })
  })

  describe('the token of a machine', () => {
    const statusOf = async (token: string) => {
      const body = '{"userName":""}'
      const all = { ...headers, authorization: `Bearer ${token}` }
      const path = `${origin}/idp/v1/Iam/GetUsers`
      return (await platform.fetch(new Request(path, { method: 'POST', headers: all, body })))
        .status
    }

    it.each([
      ['is removed', () => control(platform, 'P', 'DELETE', `/clients/${clientId}`)],
      ['gets another secret of a file', () => put({ clients: [machine] })],
      [
        'gets another secret without an overlap',
        () => control(platform, 'P', 'POST', `/clients/${clientId}/rotate`, { overlapSeconds: 0 }),
      ],
      [
        'is missing in an import',
        () => importRows('clients', (row) => (row['client_id'] === clientId ? [] : [row])),
      ],
    ])('is invalid when its client %s, and does not revive', async (_, change) => {
      const token = await machineToken(platform, 'P')
      await machineToken(platform, 'P')
      expect(await statusOf(token)).toBe(200)
      expect((await change()).ok).toBe(true)
      expect(await statusOf(token)).toBe(401)
      await put({ clients: [machine] })
      expect(await statusOf(token)).toBe(401)
    })

    it('stays valid when the secret is rotated with an overlap, until a file sets another one', async () => {
      const token = await machineToken(platform, 'P')
      const rotation = { overlapSeconds: 60 }
      await control(platform, 'P', 'POST', `/clients/${clientId}/rotate`, rotation)
      expect(await statusOf(token)).toBe(200)
      await put({ clients: [machine] })
      const previous = await platform.fetch(
        new Request(`${origin}/iam/v4/oidc/token`, {
          method: 'POST',
          headers,
          body: new URLSearchParams({
            grant_type: 'client_credentials',
            client_id: clientId,
            client_secret: 'the secret of the administrator',
            org_id: 'default',
          }),
        }),
      )
      expect(previous.status).toBe(401)
    })
  })

  it.each([
    ['is removed', () => control(platform, 'P', 'DELETE', '/clients/web')],
    [
      'is missing in an import',
      () => importRows('clients', (row) => (row['client_id'] === 'web' ? [] : [row])),
    ],
  ])('a session ends when the client of its sign-in %s, and does not revive', async (_, change) => {
    const { browser } = await signIn(platform, 'P')
    const me = async () => (await browser.send('/iam/v4/iam/me', { headers })).status
    expect(await me()).toBe(200)
    expect((await change()).ok).toBe(true)
    expect(await me()).toBe(401)
    await put({ clients: [web] })
    expect(await me()).toBe(401)
  })
})
