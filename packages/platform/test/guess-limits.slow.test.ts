import { expect, it, beforeAll } from 'vitest'
import type { Platform } from '../src/index.ts'
import { browserOn } from '@servicekit/testing/cookie-browser'
import { onEachEngine } from '@servicekit/testing/engines'
import { appUri, control, origin, password, people } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

const atOnce = 300

onEachEngine((engine) => {
  let instances: readonly Platform[]
  beforeAll(async () => {
    const options = { ...(await engine.location()), clock: 'frozen', trustProxy: true } as const
    const first = await engine.open({ ...options, projects: [project('P')] })
    // A folder belongs to one process.
    const others = engine.name === 'PostgreSQL' ? [await engine.open(options)] : []
    instances = [first, ...others]
    const { status } = await control(first, 'P', 'PUT', '/identity', people)
    expect(status).toBe(204)
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
      request.headers.set('x-forwarded-for', address)
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

  it('checks ten of 300 passwords that arrive at once', async () => {
    const browser = browserOn(from('passwords'))
    const query = new URLSearchParams({
      clientId: 'web',
      redirectUri: appUri,
      'x-service-key': 'P',
    })
    const begun = await browser.send(`/iam/v4/idp/initiate?${query}`)
    const { redirect_uri: address } = (await begun.json()) as { redirect_uri: string }
    const { page } = await browser.open(address)
    const action = /<form method="post" action="([^"]+)"/.exec(await page!.text())![1]!
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
})
