import { expect, it } from 'vitest'
import { createPlatform, type Platform, type PlatformOptions } from '../src/index.ts'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, origin, password, people, submitLogin } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const source = project(
  'P',
  { en: { a: { ONE: '1', TWO: null } }, de: { a: { ONE: '[ KEY MISSING ]' } } },
  {
    schemas: [
      {
        schemaName: 'Thing',
        schemaType: 1,
        querySchema: 'Things',
        mutationSchemas: ['insertThing'],
        fields: [{ name: 'Name', type: 'String' }],
      },
    ],
    records: { Thing: [{ ItemId: 'r', Name: 'n', CreatedDate: '2026-01-01T00:00:00Z' }] },
  },
)
const oauth = {
  type: 'oauth2',
  grantType: 'AUTHORIZATION_CODE',
  authorizationUrl: 'https://example.org/authorize',
  tokenUrl: 'https://example.org/token',
  clientId: 'c',
  clientSecret: 'a secret',
  redirectUri: 'https://app.example/tools',
}
const machine = {
  grant_type: 'client_credentials',
  client_id: 'boss',
  client_secret: 'the secret of the boss',
  org_id: 'default',
}

/**
 * Replaces what differs in every run: tokens, codes, cookies, keys and their signatures, salts,
 * and the expiry of the authorization server's cookies, which browsers compare with their own
 * clock.
 */
const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/(?<=sig=)[\w-]+/g, 'SIGNATURE')
    .replaceAll(/(?<=expires=)[^;\n]+/g, 'TIME')
    .replaceAll(/\$argon2id\$[^"]+/g, 'HASH')
    .replaceAll(/whsec_[\w+/=]+/g, 'KEY')
    // Ids have 36 characters.
    .replaceAll(/[\w-]{40,}/g, 'SECRET')

/** Wraps a platform and records every response. */
function recorded(platform: Platform) {
  const lines: string[] = []
  const fetch: Platform['fetch'] = async (request, bindings) => {
    const { method, url } = request
    const response = await platform.fetch(request, bindings)
    const text = await response.clone().text()
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
    lines.push([`${method} ${url}`, String(response.status), ...headers, '', text].join('\n'))
    return response
  }
  return { fetch, transcript: () => lines.join('\n\n') }
}

/** Exercises a platform through the interface and the control routes, and returns the record. */
async function script(options: PlatformOptions): Promise<string> {
  await using platform = await createPlatform({
    ...options,
    clock: 'frozen',
    origins: ['https://app.example'],
  })
  await platform.loadProject(source)
  const { fetch, transcript } = recorded(platform)
  const control = (method: string, path: string, body?: unknown) =>
    fetch(
      new Request(`${origin}/_platform${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  const call = (path: string, init: RequestInit = {}, send = fetchPath) =>
    send(path, { ...init, headers: { 'x-service-key': 'P', ...init.headers } })
  const fetchPath = (path: string, init: RequestInit) => fetch(new Request(origin + path, init))
  const json = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const form = (values: Record<string, string>): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    body: new URLSearchParams(values).toString(),
  })

  await control('PUT', '/projects/P/identity', people)
  const browser = browserOn({ fetch })
  const query = new URLSearchParams({ 'x-service-key': 'P', clientId: 'web', redirectUri: appUri })
  const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
  const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
  const { page } = await browser.open(address)
  const wrong = await submitLogin(browser, page!, 'ada', 'wrong')
  const { left } = await submitLogin(browser, wrong.page!, 'ada')
  await call(`/iam/v4/idp/callback${left!.search}`, {}, browser.send)
  await call('/iam/v4/iam/me', {}, browser.send)
  await control('POST', '/clock', { advanceMs: 5 * 60_000 })
  const renewal = form({ grant_type: 'refresh_token', client_id: 'web' })
  await call('/iam/v4/oidc/token', renewal, browser.send)
  await call('/iam/v4/oidc/session', {}, browser.send)
  const invited = { email: 'new@example.com', userName: 'new', password: '' }
  await call('/iam/v4/iam/users/create', json(invited), browser.send)
  const inbox = (await (await control('GET', '/projects/P/inbox')).json()) as { code: string }[]
  await call('/iam/v4/auth/activate', json({ code: inbox[0]!.code, password }))
  await call('/iam/v4/iam/organizations/create', json({ name: 'New' }), browser.send)
  const issued = await call('/iam/v4/oidc/token', form(machine))
  const { access_token: token } = (await issued.json()) as { access_token: string }
  const authorization = `Bearer ${token}`
  const asMachine = (body: unknown): RequestInit => ({
    ...json(body),
    headers: { 'content-type': 'application/json', authorization },
  })
  const second = await browser.open(`${address}&prompt=login`)
  const asBob = await submitLogin(browser, second.page!, 'bob@example.com')
  expect(asBob.page?.status).toBe(200)
  await call('/iam/v4/auth/Logout', json({}), browser.send)
  const issuer = new URL(address).pathname.replace(/\/authorize$/, '')
  await call(`${issuer}/jwks`)
  await browser.open(`${issuer}/logout`)

  await control('PUT', '/projects/P/webhook', {
    url: 'https://example.org/hook',
    contentType: 'application/json',
    isDisabled: true,
    projectKey: 'P',
  })
  await control('PUT', '/projects/P/tools/mail', { name: 'Mail', auth: oauth })
  await call('/tools/mail/initiate-oauth', { method: 'POST', headers: { authorization } })
  const upload = await call(
    '/data/v4/Files/GetPreSignedUrlForUpload',
    asMachine({ name: 'a.txt', accessModifier: 'Public' }),
  )
  const { preSignedUrl, fileId } = (await upload.json()) as Record<string, string>
  await fetch(new Request(preSignedUrl!, { method: 'PUT', body: 'bytes' }))
  await call('/data/v4/Files/GetFilesInfo', asMachine({}))
  await call(`/data/v4/Files/GetFile?FileId=${fileId}`)
  await control('POST', '/projects/P/languages', { languageCode: 'fr-FR' })
  const insert = 'mutation { insertThing(input: {Name: "s"}) { itemId } }'
  await call('/data/v4/gateway', asMachine({ query: insert }))
  await control('POST', '/clock', { advanceMs: 60_000 })
  const draft = { language: 'fr-FR', module: 'a', key: 'ONE', value: 'un' }
  await control('PUT', '/projects/P/drafts', [draft])
  await control('POST', '/projects/P/translation-jobs', { languages: ['de'] })
  await control('POST', '/queue/drain')
  await control('GET', '/projects/P/translation-jobs')
  const list = '{ Things { items { ItemId Name CreatedDate } } }'
  await call('/data/v4/gateway', asMachine({ query: list }))
  await call('/uilm/v1/Key/GetUilmFile?Language=xx&ModuleName=a&ProjectKey=P')
  await call('/nothing')
  await control('GET', '/projects/P/export?secrets=true')
  return transcript()
}

/** Returns the values of the platform's cookies. */
const cookiesOf = (text: string) => [...text.matchAll(/sk_\w+=[\w-]{20,}/g)].map(String)

const idsOf = (text: string) =>
  new Set([...text.matchAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g)].map(String))

onEachEngine((engine) => {
  it('gives the same responses and exports twice with a seed and a frozen clock, secrets apart', async () => {
    const run = async (seed: number) => script({ ...(await engine.location()), seed })
    const first = await run(1)
    const again = await run(1)
    expect(withoutSecrets(again)).toBe(withoutSecrets(first))
    // Check the statuses, since a script of failures would prove nothing.
    expect(first.match(/^[45]\d\d$/gm)).toEqual(['401', '400', '404'])
    expect(first).toContain('"cookie_set":true')
    expect(first).toContain('"password_hash":"$argon2id$')
    expect(cookiesOf(first).length).toBeGreaterThan(8)
    expect(cookiesOf(first).filter((cookie) => cookiesOf(again).includes(cookie))).toEqual([])
    const other = idsOf(await run(2))
    expect(other.size).toBe(idsOf(first).size)
    expect(other.size).toBeGreaterThan(20)
    expect([...idsOf(first)].filter((id) => other.has(id))).toEqual([])
  }, 120_000)
})
