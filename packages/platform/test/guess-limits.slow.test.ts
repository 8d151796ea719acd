import { readFileSync } from 'node:fs'
import { expect, it, beforeAll } from 'vitest'
import type { Platform } from '../src/index.ts'
import { asAdministrator } from '@servicekit/testing/administrator'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, control, origin, password, people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const atOnce = 300
/** Limits that this file tests, by the names of their buckets. */
const limits = [
  'activation',
  'code',
  'password',
  'password from',
  'password of',
  'requests',
  'reset from',
  'reset of',
  'secret',
  'secret from',
  'suggestions',
]
const suggestionsPerMinute = 20
const shared = { clock: 'frozen', trustProxy: true } as const
const withSecondFactor = ['mia', 'nils'].map((itemId) => ({
  itemId,
  email: `${itemId}@example.com`,
  password,
}))

it('every limit has a test in this file', () => {
  const sources = ['identity/attempts', 'app/app'].map((file) =>
    readFileSync(new URL(`../src/${file}.ts`, import.meta.url), 'utf8'),
  )
  const found = sources.join('').matchAll(/(?:\bbucket\([^']*|\blimited\((?:[^']*\n)?)'([^']+)'/g)
  expect(Array.from(found, ([, name]) => name).toSorted()).toEqual(limits.toSorted())
})

onEachEngine((engine) => {
  let instances: readonly Platform[]
  beforeAll(async () => {
    const options = { ...(await engine.location()), ...shared, suggestionsPerMinute }
    const first = await engine.open({ ...options, projects: [project('P')] })
    // A folder belongs to one process.
    const others = engine.name === 'PostgreSQL' ? [await engine.open(options)] : []
    instances = [first, ...others]
    const { status } = await control(first, 'P', 'PUT', '/identity', {
      ...people,
      users: [...people.users, ...withSecondFactor],
    })
    expect(status).toBe(204)
    for (const { itemId } of withSecondFactor) {
      const updated = await asAdministrator(first).fetch(
        new Request(`${origin}/idp/v1/Iam/Update`, {
          method: 'POST',
          headers: { 'x-service-key': 'P' },
          body: JSON.stringify({ itemId, mfaEnabled: true }),
        }),
      )
      expect(await updated.json()).toMatchObject({ isSuccess: true })
    }
    // The first request of an instance loads the authorization server.
    for (const _ of instances) {
      const right = tokenForm('job', 'the secret of the job')
      expect((await post('first', '/iam/v4/oidc/token', right)).status).toBe(200)
    }
  })

  let turn = 0
  /** Sends a request of an address to the next instance. */
  const from = (address: string): Pick<Platform, 'fetch'> => ({
    fetch: (request) => {
      request.headers.set('x-forwarded-for', request.headers.get('x-sender') ?? address)
      return instances[turn++ % instances.length]!.fetch(request)
    },
  })
  const post = (address: string, path: string, body: string | URLSearchParams, headers = {}) =>
    from(address).fetch(
      new Request(`${origin}${path}`, {
        method: 'POST',
        headers: { 'x-service-key': 'P', ...headers },
        body,
      }),
    )
  /** Sends requests at once. @returns the number of responses by status. */
  async function burst(send: (index: number) => Promise<Response>, length = atOnce) {
    const sent = await Promise.all(Array.from({ length }, (_, index) => send(index)))
    const counts: Record<number, number> = {}
    for (const { status } of sent) counts[status] = (counts[status] ?? 0) + 1
    return counts
  }
  const tokenForm = (client_id: string, client_secret: string) =>
    new URLSearchParams({
      grant_type: 'client_credentials',
      org_id: 'default',
      token: 'x',
      client_id,
      client_secret,
    })

  it.each([
    ['job', '/iam/v4/oidc/token'],
    ['unknown', '/iam/v4/oidc/token'],
    ['job', '/iam/v4/oidc/projects/P/token'],
    ['job', '/iam/v4/oidc/projects/P/revoke'],
  ])('checks ten of 300 secrets of the client %s that arrive at once at %s', async (id, path) => {
    const address = `${id} ${path}`
    const counts = await burst((index) => post(address, path, tokenForm(id, `guess ${index}`)))
    expect(counts).toEqual({ 401: 10, 429: atOnce - 10 })
    const right = tokenForm(id, 'the secret of the job')
    expect((await post(address, path, right)).status).toBe(429)
  })

  it('accepts all requests with the right secret that arrive at once, also with the previous one', async () => {
    const send = (secret: string) => () =>
      post('right', '/iam/v4/oidc/token', tokenForm('boss', secret))
    expect(await burst(send('the secret of the boss'), 40)).toEqual({ 200: 40 })
    const rotated = { overlapSeconds: 60 }
    expect(
      (await control(instances[0]!, 'P', 'POST', '/clients/boss/rotate', rotated)).status,
    ).toBe(200)
    expect(await burst(send('the secret of the boss'), 40)).toEqual({ 200: 40 })
  })

  it.each([
    ['/iam/v4/auth/activate', 'activate'],
    ['/idp/v1/Iam/Activate', 'Activate'],
  ])('checks ten of 300 activation codes that arrive at once at %s', async (path, address) => {
    const { 429: refused, ...checked } = await burst((index) =>
      post(address, path, JSON.stringify({ code: `guess ${index}`, password })),
    )
    expect([Object.values(checked), refused]).toEqual([[10], atOnce - 10])
  })

  it.each(['activate', 'reset'])('checks ten of 300 codes of the page %s', async (page) => {
    const counts = await burst((index) =>
      post(
        `page ${page}`,
        `/iam/v4/oidc/projects/P/${page}?code=guess${index}`,
        new URLSearchParams({ password }),
        { origin },
      ),
    )
    expect(counts).toEqual({ 400: 10, 429: atOnce - 10 })
  })

  const formHeaders = { 'content-type': 'application/x-www-form-urlencoded', origin }
  const actionIn = async (page: Response | undefined) =>
    /<form method="post" action="([^"]+)"/.exec(await page!.text())![1]!
  /** Opens the sign-in page. @returns the browser and the address of the form. */
  async function openSignIn(address: string) {
    const browser = browserOn(from(address))
    const query = new URLSearchParams({
      clientId: 'web',
      redirectUri: appUri,
      'x-service-key': 'P',
    })
    const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
    const { redirect_uri: url } = (await begun.json()) as { redirect_uri: string }
    return { browser, action: await actionIn((await browser.open(url)).page) }
  }

  it('checks ten of 300 passwords that arrive at once', async () => {
    const { browser, action } = await openSignIn('passwords')
    const counts = await burst((index) =>
      browser.send(action, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        body: new URLSearchParams({
          username: 'bob@example.com',
          password: `x${index}`,
        }).toString(),
      }),
    )
    expect(counts).toEqual({ 401: 10, 429: atOnce - 10 })
  })

  it.each(['from one address', 'of one account'])(
    'checks a hundred of 300 passwords %s that arrive at once',
    async (which) => {
      const isOfAccount = which === 'of one account'
      const { browser, action } = await openSignIn('spread')
      const counts = await burst((index) =>
        browser.send(action, {
          method: 'POST',
          headers: { ...formHeaders, ...(isOfAccount && { 'x-sender': `spread ${index}` }) },
          body: new URLSearchParams({
            username: isOfAccount ? 'ada@example.com' : `nobody${index}@example.com`,
            password: 'x',
          }).toString(),
        }),
      )
      expect(counts).toEqual({ 401: 100, 429: atOnce - 100 })
    },
  )

  it('checks a hundred of 300 secrets from one address that arrive at once', async () => {
    const counts = await burst((index) =>
      post('spread secrets', '/iam/v4/oidc/token', tokenForm(`client ${index}`, 'x')),
    )
    expect(counts).toEqual({ 401: 100, 429: atOnce - 100 })
  })

  /** Signs a user with a second factor in up to the code. */
  async function openCode(address: string, username: string) {
    const { browser, action } = await openSignIn(address)
    const body = new URLSearchParams({ username, password }).toString()
    const { page } = await browser.open(action, { method: 'POST', headers: formHeaders, body })
    return { browser, action: await actionIn(page) }
  }
  const guessCode = (
    { browser, action }: Awaited<ReturnType<typeof openCode>>,
    code: string,
  ): Promise<Response> =>
    browser.send(action, {
      method: 'POST',
      headers: formHeaders,
      body: new URLSearchParams({ code }).toString(),
    })

  it('checks ten of 300 second-factor codes of a user that arrive at once, in all sign-ins together', async () => {
    const first = await openCode('codes of one sign-in', 'mia@example.com')
    const counts = await burst((index) => guessCode(first, `x${index}`))
    expect(counts).toEqual({ 401: 10, 429: atOnce - 10 })
    const second = await openCode('codes of another sign-in', 'mia@example.com')
    expect(await burst((index) => guessCode(second, `x${index}`))).toEqual({ 429: atOnce })
  })

  const mailsTo = async (recipient: string, purpose: string): Promise<number> => {
    const inbox = await control(instances[0]!, 'P', 'GET', `/inbox?recipient=${recipient}`)
    const mails = (await inbox.json()) as readonly { purpose: string }[]
    return mails.filter((mail) => mail.purpose === purpose).length
  }
  const requestReset = (address: string, username: string) =>
    post(address, '/iam/v4/oidc/projects/P/forgot', new URLSearchParams({ username }), { origin })

  it('sends three mails of 300 requests for a new password of an account that arrive at once', async () => {
    const counts = await burst((index) => requestReset(`mail ${index}`, 'bob@example.com'))
    expect(counts).toEqual({ 200: 3, 429: atOnce - 3 })
    expect(await mailsTo('bob@example.com', 'PasswordReset')).toBe(3)
  })

  it('accepts ten of 300 requests for a new password of an address that arrive at once', async () => {
    const counts = await burst((index) => requestReset('mails', `nobody${index}@example.com`))
    expect(counts).toEqual({ 200: 10, 429: atOnce - 10 })
  })

  it('sends ten codes of 300 sign-ins of a user that arrive at once', async () => {
    const { browser, action } = await openSignIn('codes by mail')
    const body = new URLSearchParams({ username: 'nils@example.com', password }).toString()
    const counts = await burst(() =>
      browser.send(action, { method: 'POST', headers: formHeaders, body }),
    )
    expect(counts[429]).toBe(atOnce - 10)
    expect(await mailsTo('nils@example.com', 'SecondFactor')).toBeLessThanOrEqual(10)
  })

  it('admits as many suggestions of an address as its limit, of 300 that arrive at once', async () => {
    const body = JSON.stringify({
      elementType: 'button',
      temperature: 0,
      elementApplicationContext: 'a',
      elementDetailContext: 'a',
      sourceText: 'Save',
      currentLanguage: 'en',
      destinationLanguage: 'de',
    })
    const headers = { 'content-type': 'application/json' }
    const counts = await burst(() =>
      post('suggestions', '/uilm/v1/Assistant/GetTranslationSuggestion', body, headers),
    )
    expect(counts).toEqual({ 200: suggestionsPerMinute, 429: atOnce - suggestionsPerMinute })
  })

  it('admits as many requests of an address as its limit, of 300 that arrive at once', async () => {
    const options = { ...(await engine.location()), ...shared, rateLimitPerMinute: 50 }
    const limited = [await engine.open({ ...options, projects: [project('P')] })]
    if (engine.name === 'PostgreSQL') limited.push(await engine.open(options))
    const path = '/localization/v4/Language/Gets?ProjectKey=P'
    const counts = await burst((index) =>
      limited[index % limited.length]!.fetch(
        new Request(`${origin}${path}`, {
          headers: { 'x-service-key': 'P', 'x-forwarded-for': 'requests' },
        }),
      ),
    )
    expect(counts).toEqual({ 200: 50, 429: atOnce - 50 })
  })
})
