import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type LogEntry, type Platform } from '../src/index.ts'
import { type Built, buildPlatform } from '@servicekit/testing/build-platform'
import { onPostgres } from '@servicekit/testing/engines'
import { control } from '@servicekit/testing/people'
import { project } from '@servicekit/testing/projects'

/** Starts an instance on a machine whose clock is ahead by some ms. */
const program = `
const [databaseUrl, aheadMs] = process.argv.slice(2)
const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + Number(aheadMs))
    else super(...given)
  }
  static now() {
    return Real.now() + Number(aheadMs)
  }
}
const logged = []
const { baseUrl } = await platform.startPlatform({
  databaseUrl, rateLimitPerMinute: 60, trustProxy: true, onLog: (entry) => logged.push(entry),
})
console.log(baseUrl)
console.log(JSON.stringify(logged))
`

const form = new URLSearchParams({
  grant_type: 'client_credentials',
  client_id: 'job',
  client_secret: 'secret of the job',
  org_id: 'default',
})

onPostgres((engine) => {
  let built: Built
  let right: Platform
  let ahead: string
  let behind: string
  let logged: LogEntry[]
  const children: { readonly kill: () => unknown }[] = []
  beforeAll(async () => {
    built = await buildPlatform()
    const { databaseUrl } = await engine.location()
    right = await createPlatform({
      databaseUrl: databaseUrl!,
      rateLimitPerMinute: 60,
      trustProxy: true,
      projects: [project('P')],
    })
    await control(right, 'P', 'PUT', '/identity', {
      roles: [{ slug: 'admin' }],
      clients: [{ clientId: 'job', clientSecret: 'secret of the job', roles: ['admin'] }],
    })
    const start = async (aheadMs: number) => {
      const child = await built.run(program, [databaseUrl!, String(aheadMs)])
      children.push(child.process)
      return { baseUrl: await child.line(), log: JSON.parse(await child.line()) as LogEntry[] }
    }
    const first = await start(90_000)
    ;[ahead, logged] = [first.baseUrl, first.log]
    behind = (await start(-2 * 3_600_000)).baseUrl
  }, 120_000)
  afterAll(async () => {
    for (const child of children) child.kill()
    await Promise.all([right?.close(), built?.remove()])
  })

  const send = (path: string, init: RequestInit = {}) =>
    right.fetch(new Request(new URL(path, 'http://localhost'), init))
  const withKey = { 'x-service-key': 'P' }

  it('allow an address its requests, whichever of them receives them', async () => {
    const headers = { ...withKey, 'x-forwarded-for': '192.0.2.1' }
    const path = '/uilm/v1/Language/Gets?ProjectKey=P'
    const statuses: number[] = []
    for (let count = 0; count < 10; count++) {
      statuses.push((await fetch(`${ahead}${path}`, { headers })).status)
      statuses.push((await send(path, { headers })).status)
      statuses.push((await fetch(`${behind}${path}`, { headers })).status)
    }
    expect(statuses).toEqual(Array(30).fill(200))
  })

  it('accept tokens and signed URLs of one that is behind', async () => {
    const headers = { ...withKey, 'x-forwarded-for': '192.0.2.2' }
    const url = `${behind}/iam/v4/oidc/token`
    const issued = await fetch(url, { method: 'POST', headers, body: form })
    const { accessToken } = (await issued.json()) as { accessToken: string }
    const signedIn = { ...headers, authorization: `Bearer ${accessToken}` }
    const listed = await send('/data/v4/Files/GetFilesInfo', {
      method: 'POST',
      headers: signedIn,
      body: '{}',
    })
    expect(listed.status).toBe(200)
    const signed = await fetch(`${behind}/data/v4/Files/GetPreSignedUrlForUpload`, {
      method: 'POST',
      headers: signedIn,
      body: JSON.stringify({ name: 'a.txt' }),
    })
    const { preSignedUrl } = (await signed.json()) as { preSignedUrl: string }
    const { pathname, search } = new URL(preSignedUrl)
    const put = await send(`${pathname}${search}`, { method: 'PUT', body: 'text' })
    expect([put.status, await put.text()]).toEqual([201, expect.any(String)])
  })

  it('say how far their clocks differ', async () => {
    const skewOf = async (response: Response) =>
      ((await response.json()) as { clockSkewMs: number }).clockSkewMs
    const own = await skewOf(await send('/_platform/ready'))
    expect(Math.abs(own)).toBeLessThan(2000)
    const other = await skewOf(await fetch(`${ahead}/_platform/ready`))
    expect(Math.abs(other - 90_000)).toBeLessThan(2000)
    expect(logged).toContainEqual(
      expect.objectContaining({
        event: 'notice',
        level: 'warn',
        message: expect.stringMatching(/^The clock of this machine is (?:89|90|91)\.\d s ahead of/),
      }),
    )
  })
})
