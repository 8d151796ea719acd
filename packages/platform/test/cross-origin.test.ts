import { Rejection } from '@servicekit/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { listen, type Listening } from '../src/node.ts'
import { control } from '@servicekit/testing/people'
import { get, project } from '@servicekit/testing/projects'

const path = '/uilm/v1/Language/Gets'
const evil = 'https://evil.example'

/** Returns the headers that let a page read a response. */
const corsHeaders = ({ headers }: Response) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'))

const preflight = (platform: Platform, origin: string, at = path) =>
  get(platform, at, {}, { method: 'OPTIONS', headers: preflightHeaders(origin) })

const preflightHeaders = (origin: string) => ({
  origin,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'x-service-key, content-type',
})

const ask = (platform: Platform, key: string, headers: Record<string, string>) =>
  get(platform, path, { ProjectKey: key }, { key, headers })

/** Returns the message of a 406 without CORS headers. */
async function refusal(response: Response): Promise<string> {
  expect([response.status, corsHeaders(response)]).toEqual([406, []])
  return Rejection.parse(await response.json()).Errors.Message
}

describe('an unregistered origin', () => {
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform({ projects: [project('P')] })
  })
  afterAll(() => platform.close())

  it('gets 406 without CORS headers, for a preflight and for a request', async () => {
    for (const origin of [evil, 'null', 'http://127.evil.example', 'http://localhost:5173']) {
      expect(await refusal(await preflight(platform, origin))).toContain(origin)
      expect(await refusal(await ask(platform, 'P', { origin }))).toContain(origin)
    }
  })

  it('is taken from Referer if there is no Origin', async () => {
    expect(await refusal(await ask(platform, 'P', { referer: `${evil}/page?a=b` }))).toContain(evil)
    expect(await refusal(await ask(platform, 'P', { referer: 'nonsense' }))).toContain('nonsense')
    const own = { origin: 'http://platform.local', referer: `${evil}/` }
    expect((await ask(platform, 'P', own)).status).toBe(200)
  })

  it('may link to pages for visitors', async () => {
    const referer = `${evil}/mails`
    for (const at of ['/_platform/api', '/iam/v4/oidc/projects/P/activate?code=a']) {
      const response = await get(platform, at, {}, { headers: { referer } })
      expect([at, response.status]).toEqual([at, 200])
    }
  })
})

describe('a registered origin', () => {
  const app = 'https://app.example'
  let platform: Platform
  beforeAll(async () => {
    platform = await createPlatform({
      origins: ['https://console.example'],
      projects: [project('P', {}, { origins: [app] }), project('Q')],
    })
  })
  afterAll(() => platform.close())

  it('may send a preflight, which does not name a project', async () => {
    const response = await preflight(platform, app)
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'x-service-key,content-type',
      'access-control-allow-methods': expect.stringContaining('POST'),
    })
  })

  it('may call only its own project', async () => {
    const response = await ask(platform, 'P', { origin: app })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': app,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': expect.stringContaining('etag'),
      vary: expect.stringMatching(/origin/i),
    })
    expect((await ask(platform, 'P', { referer: `${app}/page` })).status).toBe(200)
    expect(await refusal(await ask(platform, 'Q', { origin: app }))).toContain(app)
    expect(await refusal(await get(platform, path, {}, { headers: { origin: app } }))).toContain(
      app,
    )
  })

  it('is checked against the project in the query or the path', async () => {
    const headers = { origin: app }
    const query = { 'x-service-key': 'P', clientId: 'c', redirectUri: 'r' }
    const initiated = await get(platform, '/iam/v4/idp/initiate', query, { headers })
    expect(initiated.status).toBe(400)
    const state = { code: 'c', state: 'P.state' }
    expect((await get(platform, '/iam/v4/idp/callback', state, { headers })).status).toBe(400)
    const discovery = '/.well-known/openid-configuration'
    const ofP = await get(platform, `/iam/v4/oidc/projects/P${discovery}`, {}, { headers })
    expect(ofP.status).toBe(200)
    const ofQ = await get(platform, `/iam/v4/oidc/projects/Q${discovery}`, {}, { headers })
    expect(await refusal(ofQ)).toContain(app)
  })

  it('may not call the control routes', async () => {
    const at = '/_platform/projects'
    for (const origin of [app, 'https://console.example']) {
      expect(await refusal(await preflight(platform, origin, at))).toContain(origin)
      expect(await refusal(await get(platform, at, {}, { headers: { origin } }))).toContain(origin)
    }
    const own = { origin: 'http://platform.local' }
    expect((await get(platform, at, {}, { headers: own })).status).toBe(200)
  })

  it('applies to all projects if it is an option of the platform', async () => {
    const origin = 'https://console.example'
    expect((await preflight(platform, origin)).status).toBe(204)
    expect((await ask(platform, 'P', { origin })).status).toBe(200)
    expect((await ask(platform, 'Q', { origin })).status).toBe(200)
  })

  it('is stored, changed immediately by a control route, and exported', async () => {
    const changed = ['https://app.example:8443', 'http://shop.example']
    const put = await control(platform, 'Q', 'PUT', '/origins', [`${changed[0]}/`, changed[1]])
    expect([put.status, await put.json()]).toEqual([200, changed])
    expect((await ask(platform, 'Q', { origin: changed[0]! })).status).toBe(200)
    expect((await preflight(platform, changed[1]!)).status).toBe(204)
    const exported = await (await control(platform, 'Q', 'GET', '/export')).json()
    expect(exported).toMatchObject({ origins: changed })
    await control(platform, 'Q', 'PUT', '/origins', [])
    expect(await refusal(await ask(platform, 'Q', { origin: changed[0]! }))).toContain(changed[0]!)
  })

  it.each([[['*']], [['null']], [['ftp://a.example']], [['https://a.example/path']], ['x']])(
    'cannot be %j',
    async (origins) => {
      expect((await control(platform, 'Q', 'PUT', '/origins', origins)).status).toBe(400)
    },
  )
})

describe('an origin of this machine', () => {
  const local = { origin: 'http://localhost:5173' }
  let platform: Platform
  let server: Listening
  beforeAll(async () => {
    platform = await createPlatform({ projects: [project('P')] })
    server = await listen(platform)
  })
  afterAll(async () => {
    await server.close()
    await platform.close()
  })
  const send = (headers: Record<string, string>, at = `${path}?ProjectKey=P`) =>
    fetch(`${server.baseUrl}${at}`, { headers: { 'x-service-key': 'P', ...headers } })

  it('is allowed if the platform is addressed by loopback', async () => {
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:1', 'http://[::1]:80']) {
      const response = await send({ origin })
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect((await send({ origin }, '/_platform/projects')).status).toBe(200)
    }
    const unknown = await send(local, '/nothing')
    expect([unknown.status, corsHeaders(unknown).length]).toEqual([404, 3])
    expect(await refusal(await send({ origin: 'http://127.evil.example' }))).toContain(
      '127.evil.example',
    )
  })

  it('is rejected behind a proxy or with a public URL', async () => {
    expect(await refusal(await send({ ...local, 'x-forwarded-for': '203.0.113.7' }))).toContain(
      local.origin,
    )
    const proxied = await createPlatform({
      publicUrl: 'https://p.example',
      projects: [project('P')],
    })
    const request = new Request(`http://127.0.0.1:4600${path}?ProjectKey=P`, {
      headers: { 'x-service-key': 'P', ...local },
    })
    expect(await refusal(await proxied.fetch(request))).toContain(local.origin)
    await proxied.close()
  })
})
