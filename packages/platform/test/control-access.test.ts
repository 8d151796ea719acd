import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { createPlatform, type PlatformOptions } from '../src/index.ts'
import { listen } from '../src/node.ts'
import { project } from '@servicekit/testing/projects'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** Starts a platform and sends requests to its control routes. */
async function start(options: PlatformOptions = {}) {
  const platform = await createPlatform({ ...options, projects: [project('P')] })
  const server = await listen(platform)
  closers.push(server.close, platform.close)
  return (headers: Record<string, string> = {}, path = '/_platform/projects/P/inbox') =>
    fetch(`${server.baseUrl}${path}`, { headers })
}

const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fly-client-ip',
]

it('rejects control requests with a header that proxies add', async () => {
  const ask = await start()
  expect((await ask()).status).toBe(200)
  for (const name of forwarding) {
    const response = await ask({ [name]: '203.0.113.7' })
    expect([name, response.status]).toEqual([name, 403])
    expect(await response.json()).toMatchObject({ title: expect.stringContaining('control token') })
  }
})

it('rejects control requests if there is a public URL, forwarded or not', async () => {
  const ask = await start({ publicUrl: 'https://platform.example', trustProxy: true })
  for (const path of ['/_platform/projects/P/inbox', '/_platform/projects/P/export?secrets=true']) {
    expect((await ask({}, path)).status).toBe(403)
    expect((await ask({ 'x-forwarded-for': '203.0.113.7' }, path)).status).toBe(403)
  }
})

it('allows control requests if the public URL is loopback', async () => {
  const ask = await start({ publicUrl: 'http://localhost:4600' })
  expect((await ask()).status).toBe(200)
})

it('allows control requests with the control token behind a proxy', async () => {
  const ask = await start({ publicUrl: 'https://platform.example', controlToken: 'canary-token' })
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  expect((await ask({ ...forwarded, authorization: 'Bearer canary-token' })).status).toBe(200)
  for (const authorization of ['Bearer wrong', 'canary-token']) {
    const response = await ask({ ...forwarded, authorization })
    expect([response.status, await response.text()]).toEqual([
      401,
      expect.not.stringContaining('canary-token'),
    ])
  }
})

it('injects faults by header only where control routes are open', async () => {
  const ask = await start()
  const fault = { 'x-platform-fault': '{"status": 503}', 'x-service-key': 'P' }
  const path = '/localization/v4/Language/Gets?ProjectKey=P'
  expect((await ask(fault, path)).status).toBe(503)
  expect((await ask({ ...fault, 'x-forwarded-for': '203.0.113.7' }, path)).status).toBe(200)
})

it('reads true and false from the query, and rejects anything else', async () => {
  const ask = await start()
  const status = async (query: string) =>
    (await ask({}, `/_platform/projects/P/export${query}`)).status
  for (const query of ['', '?secrets=true', '?secrets=false']) expect(await status(query)).toBe(200)
  for (const value of ['1', 'yes', 'TRUE', '', 'true%20']) {
    const response = await ask({}, `/_platform/projects/P/export?secrets=${value}`)
    expect([value, response.status]).toEqual([value, 400])
    expect(await response.json()).toMatchObject({
      title: 'secrets: must be true or false',
    })
  }
})

it('compares a hundred of 300 control tokens of an address that arrive at once, then one every two seconds', async () => {
  await using platform = await createPlatform({
    controlToken: 'canary-token',
    trustProxy: true,
    projects: [project('P')],
  })
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000_000)
  onTestFinished(() => now.mockRestore())
  const send = async (address: string, token: string, path = 'projects/P/inbox') => {
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
    const request = new Request(`http://platform.local/_platform/${path}`, { headers })
    return (await platform.fetch(request)).status
  }
  const paths = ['projects/P/inbox', 'projects/P/interface/iam/v4/iam/me', 'session', 'audit']
  const sent = await Promise.all(
    Array.from({ length: 300 }, (_, at) => send('203.0.113.7', `x${at}`, paths[at % 4])),
  )
  expect(sent.filter((status) => status === 429)).toHaveLength(200)
  expect(await send('203.0.113.7', 'canary-token')).toBe(429)
  expect(await send('203.0.113.8', 'canary-token')).toBe(200)
  now.mockReturnValue(1_002_000)
  expect(await send('203.0.113.7', 'canary-token')).toBe(200)
  expect([await send('203.0.113.7', 'x'), await send('203.0.113.7', 'x')]).toEqual([401, 429])
})
