import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listenToPlatform } from './listen-to-platform.ts'

interface Received {
  readonly method: string
  readonly url: string
  readonly body: string
}
const requests: Received[] = []
const tokens: (string | undefined)[] = []
let status = 201
let known: { id: string; url: string }[] = []
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  tokens.push(request.headers.authorization)
  requests.push({ method: request.method!, url: request.url!, body })
  if (request.method === 'POST') known = [{ id: '7', url: 'http://localhost:5173/__uilm/webhook' }]
  response.writeHead(status).end(request.method === 'GET' ? JSON.stringify(known) : '{"id":"7"}')
})
let baseUrl: string
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => server.close(done)))

const options = { projectKey: 'P/1', serverUrl: 'http://localhost:5173/' }

it('registers with a local platform, and ends it again', async () => {
  const secret = { headerKey: 'x-hook', secret: 's' }
  const stop = await listenToPlatform({ ...options, baseUrl, secret })
  expect(requests).toEqual([
    {
      method: 'POST',
      url: '/_platform/projects/P%2F1/listeners',
      body: JSON.stringify({ url: 'http://localhost:5173/__uilm/webhook', ...secret }),
    },
  ])
  stop()
  await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(2)
  expect(requests[1]).toMatchObject({
    method: 'DELETE',
    url: '/_platform/projects/P%2F1/listeners/7',
  })
})

it('registers again with a platform that was started again, and says so', async () => {
  requests.length = 0
  const onBack = vi.fn<() => void>()
  const secret = undefined
  const stop = await listenToPlatform({ ...options, baseUrl, secret, onBack, everyMs: 5 })
  const asked = (method: string) => requests.filter((request) => request.method === method).length
  await expect.poll(() => asked('GET'), { timeout: 20_000 }).toBeGreaterThan(1)
  expect([asked('POST'), onBack.mock.calls.length]).toEqual([1, 0])
  known = []
  await expect.poll(() => onBack.mock.calls.length, { timeout: 20_000 }).toBe(1)
  expect(asked('POST')).toBe(2)
  stop()
  await expect.poll(() => asked('DELETE'), { timeout: 20_000 }).toBe(1)
})

it('sends the control token to the platform, and follows no redirect with it', async () => {
  vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', 'canary-token')
  const target = vi.fn<() => void>()
  const other = createServer((_, response) => {
    target()
    response.end('[]')
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const location = `http://localhost:${(other.address() as AddressInfo).port}/`
  const redirecting = createServer((_, response) => response.writeHead(307, { location }).end())
  await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done))
  try {
    tokens.length = 0
    const stop = await listenToPlatform({ ...options, baseUrl, secret: undefined })
    stop()
    await expect
      .poll(() => tokens, { timeout: 20_000 })
      .toEqual(Array(2).fill('Bearer canary-token'))
    const { port } = redirecting.address() as AddressInfo
    const leaving = { ...options, baseUrl: `http://127.0.0.1:${port}`, secret: undefined }
    ;(await listenToPlatform(leaving))()
    expect(target).not.toHaveBeenCalled()
  } finally {
    vi.unstubAllEnvs()
    for (const one of [other, redirecting]) await new Promise((done) => one.close(done))
  }
})

it('asks no instance on another machine', async () => {
  const fetch = vi.spyOn(globalThis, 'fetch')
  for (const address of ['https://api.example.com', 'http://127.evil.example', undefined]) {
    const stop = await listenToPlatform({ ...options, baseUrl: address, secret: undefined })
    stop()
  }
  expect(fetch).not.toHaveBeenCalled()
})

it('does without where there is no such route, and where nobody answers', async () => {
  status = 404
  const before = requests.length
  const stop = await listenToPlatform({ ...options, baseUrl, secret: undefined })
  stop()
  expect(requests.length).toBe(before + 1)
  const nobody = { ...options, baseUrl: 'http://127.0.0.1:9', secret: undefined }
  await expect(listenToPlatform(nobody)).resolves.toBeTypeOf('function')
})
