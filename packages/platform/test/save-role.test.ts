import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, origin, password, signIn } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'
import type { Platform } from '../src/index.ts'
import { removeProject } from './control-client.ts'

const controlToken = 'the-token-of-the-operator'

const identity = {
  settings: { administratorRoles: ['admin', 'owner'], accessRoles: ['member'] },
  clients: [{ clientId: 'web', redirectUris: [appUri] }],
  roles: [
    { slug: 'owner', ancestorRoleSlugs: ['admin', 'billing'] },
    { slug: 'admin', ancestorRoleSlugs: ['member'] },
    { slug: 'billing' },
    { slug: 'member' },
  ],
  permissions: [{ name: 'vault.open', roles: ['vault'] }],
  users: [
    { itemId: 'ada', email: 'ada@example.com', password, roles: ['admin'] },
    { itemId: 'oscar', email: 'oscar@example.com', password, roles: ['owner'] },
    { itemId: 'bob', email: 'bob@example.com', password, roles: ['member'] },
  ],
}

onEachEngine((engine) => {
  let platform: Platform
  beforeAll(async () => {
    platform = await engine.open({ clock: 'frozen', seed: 1, controlToken })
  })
  beforeEach(async () => {
    await platform.loadProject(project('P', { 'en-US': { m: { A: 'a' } } }, { identity }))
  })
  afterEach(() => removeProject(platform, 'P', controlToken))

  const as = async (name: string) => {
    const { browser } = await signIn(platform, 'P', `${name}@example.com`)
    return async (method: string, path: string, body?: unknown) => {
      const response = await browser.send(`/_platform/projects/P${path}`, {
        method,
        headers: { origin },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const json = text === '' ? undefined : (JSON.parse(text) as { title?: string })
      return { status: response.status, title: json?.title, body: json }
    }
  }
  const role = (more: object = {}) => ({
    name: 'German',
    description: null,
    ancestorRoleSlugs: [],
    consoleRole: null,
    ...more,
  })
  const update = (send: Awaited<ReturnType<typeof as>>, roles: readonly string[]) =>
    send('POST', '/interface/idp/v1/Iam/Update', { itemId: 'bob', roles })

  it('an administrator creates a role for the console and grants it', async () => {
    const ada = await as('ada')
    const consoleRole = { role: 'translator', languages: ['de-DE'] }
    expect((await ada('PUT', '/roles/german', role({ consoleRole }))).status).toBe(204)
    expect((await ada('GET', '/console-roles')).body).toEqual({ german: consoleRole })
    const granted = await update(ada, ['member', 'german'])
    expect([granted.status, granted.body]).toMatchObject([200, { isSuccess: true }])
    const bob = await as('bob')
    expect((await bob('GET', '/keys')).status).toBe(200)
    expect((await bob('PUT', '/roles/german', role())).status).toBe(403)
    expect((await ada('PUT', '/roles/german', role())).status).toBe(204)
    expect((await bob('GET', '/keys')).status).toBe(403)
  })

  it('keeps other settings, and removes the role for the console with its role', async () => {
    const ada = await as('ada')
    await ada('PUT', '/roles/german', role({ consoleRole: { role: 'manager' } }))
    await ada('PUT', '/roles/french', role({ consoleRole: { role: 'developer' } }))
    expect((await ada('DELETE', '/roles/german')).status).toBe(204)
    expect((await ada('GET', '/console-roles')).body).toEqual({ french: { role: 'developer' } })
    const response = await platform.fetch(
      new Request(`${origin}/_platform/projects/P/export`, {
        headers: { authorization: `Bearer ${controlToken}` },
      }),
    )
    const exported = JSON.stringify(await response.json())
    expect(exported).toContain('"accessRoles":["member"]')
    expect(exported).toContain('"administratorRoles":["admin","owner"]')
  })

  it('an administrator adds and removes no role that they lack', async () => {
    const ada = await as('ada')
    const wanted = role({ ancestorRoleSlugs: ['member', 'billing'] })
    for (const slug of ['german', 'admin', 'member']) {
      const refused = await ada('PUT', `/roles/${slug}`, wanted)
      expect([slug, refused.status, refused.title]).toEqual(
        slug === 'member'
          ? [slug, 400, 'The role member would be its own ancestor.']
          : [slug, 403, 'The caller cannot add the role billing without having it.'],
      )
    }
    for (const slug of ['billing', 'owner']) {
      const refused = await ada('DELETE', `/roles/${slug}`)
      expect([refused.status, refused.title]).toEqual([
        403,
        `The caller cannot remove the role ${slug} without having it.`,
      ])
    }
    // Without its ancestor, the role of another administrator would lose the rights of one.
    const oscar = await as('oscar')
    expect((await oscar('PUT', '/roles/german', wanted)).status).toBe(204)
    // Who has the role owner has billing, and may take it from others.
    expect((await oscar('DELETE', '/roles/billing')).status).toBe(204)
  })

  it('a role that something refers to already is created only by the operator', async () => {
    const ada = await as('ada')
    const refused = await ada('PUT', '/roles/vault', role())
    expect([refused.status, refused.title]).toEqual([
      409,
      'Permissions, members, organizations or clients refer to the role vault already. Only the operator can create it.',
    ])
    const response = await platform.fetch(
      new Request(`${origin}/_platform/projects/P/roles/vault`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${controlToken}` },
        body: JSON.stringify(role()),
      }),
    )
    expect(response.status).toBe(204)
    // The operator does not give it to administrators.
    expect((await update(ada, ['member', 'vault'])).body).toMatchObject({
      Errors: { Message: 'The caller cannot grant the role vault without having it.' },
    })
  })

  it('refuses unknown ancestors, circles and names that a path cannot carry', async () => {
    const ada = await as('ada')
    const unknown = await ada('PUT', '/roles/german', role({ ancestorRoleSlugs: ['none'] }))
    expect([unknown.status, unknown.title]).toEqual([400, 'There is no role none.'])
    const circle = await ada('PUT', '/roles/member', role({ ancestorRoleSlugs: ['admin'] }))
    expect([circle.status, circle.title]).toEqual([
      400,
      'The role member would be its own ancestor.',
    ])
    for (const slug of ['German', 'a%2Fb', '-', 'a b', '__proto__', `${'a'.repeat(65)}`]) {
      const refused = await ada('PUT', `/roles/${slug}`, role())
      expect([slug, refused.status]).toEqual([slug, 400])
    }
    expect((await ada('GET', '/console-roles')).body).toEqual({})
  })

  it('the last administrator cannot be removed by changing roles', async () => {
    const oscar = await as('oscar')
    const kept = await oscar('DELETE', '/roles/owner')
    expect(kept.status).toBe(204)
    const ada = await as('ada')
    const last = await ada('DELETE', '/roles/admin')
    expect([last.status, last.title]).toMatchObject([
      403,
      expect.stringMatching(/no administrator/),
    ])
  })
})
