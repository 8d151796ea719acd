import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type SubscribeOptions, subscribeToPlatform } from './platform-events.ts'

const requests: { readonly url: string; readonly token: string | undefined }[] = []
const streams = new Set<ServerResponse>()
let status = 200
const server = createServer(({ url, headers }, response) => {
  requests.push({ url: url!, token: headers.authorization })
  response.writeHead(status, { 'content-type': 'text/event-stream' })
  if (status !== 200) {
    response.end()
    return
  }
  response.write(': listening\n\n')
  streams.add(response)
  response.on('close', () => streams.delete(response))
})
let baseUrl: string
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => server.close(done)))

const onConnect = vi.fn<() => void>()
const onEvent = vi.fn<(moduleId: string | undefined) => void>()
let unsubscribe: () => void
const subscribe = (options: Partial<SubscribeOptions> = {}): void => {
  unsubscribe = subscribeToPlatform({
    baseUrl,
    projectKey: 'P/1',
    onConnect,
    onEvent,
    retryMs: 5,
    ...options,
  })
}
beforeEach(() => {
  requests.length = 0
  status = 200
  onConnect.mockClear()
  onEvent.mockClear()
})
afterEach(async () => {
  unsubscribe()
  await vi.waitUntil(() => streams.size === 0, 20_000)
  vi.unstubAllEnvs()
})

it('receives the events of a project, also when they arrive in pieces', async () => {
  subscribe()
  await vi.waitUntil(() => streams.size === 1, 20_000)
  const [stream] = streams
  expect(requests[0]!.url).toBe('/_platform/projects/P%2F1/events')
  stream!.write('event: GenerateUilmFilesEvent\ndata: {"GenerateUilmFilesEvent":{"Module')
  stream!.write(
    'Id":"m1"}}\n\ndata: {"TranslateAllEvent":{"ModuleId":null}}\n\ndata: {"Other":1}\n\n',
  )
  await vi.waitUntil(() => onEvent.mock.calls.length === 2, 20_000)
  expect(onEvent.mock.calls).toEqual([['m1'], [undefined]])
  expect(onConnect).toHaveBeenCalledTimes(1)
})

it('ends the connection when it is unsubscribed', async () => {
  subscribe()
  await vi.waitUntil(() => streams.size === 1, 20_000)
  unsubscribe()
  await vi.waitUntil(() => streams.size === 0, 20_000)
  expect(requests).toHaveLength(1)
})

it('connects again after the platform was restarted', async () => {
  subscribe()
  await vi.waitUntil(() => streams.size === 1, 20_000)
  for (const stream of streams) stream.destroy()
  await vi.waitUntil(() => onConnect.mock.calls.length === 2, 20_000)
  expect(streams.size).toBe(1)
})

it('connects to a platform that starts later', async () => {
  status = 503
  subscribe()
  await vi.waitUntil(() => requests.length > 1, 20_000)
  expect(onConnect).not.toHaveBeenCalled()
  status = 200
  await vi.waitUntil(() => onConnect.mock.calls.length === 1, 20_000)
})

it('sends the control token to the platform, and follows no redirect with it', async () => {
  vi.stubEnv('SERVICEKIT_CONTROL_TOKEN', 'canary-token')
  subscribe()
  await vi.waitUntil(() => streams.size === 1, 20_000)
  expect(requests[0]!.token).toBe('Bearer canary-token')
  unsubscribe()

  const redirected = vi.fn<() => void>()
  const redirecting = createServer((_, response) => {
    redirected()
    response.writeHead(307, { location: `${baseUrl}/stolen` }).end()
  })
  await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done))
  try {
    const { port } = redirecting.address() as AddressInfo
    subscribe({ baseUrl: `http://127.0.0.1:${port}` })
    // A second attempt starts after the first one has ended.
    await vi.waitUntil(() => redirected.mock.calls.length > 1, 20_000)
    expect(requests.map(({ url }) => url)).not.toContain('/stolen')
  } finally {
    unsubscribe()
    await new Promise((done) => redirecting.close(done))
  }
})

it('does not contact a service on another machine', () => {
  const connect = vi.spyOn(Socket.prototype, 'connect').mockReturnThis()
  for (const address of ['https://api.example.com', 'http://127.evil.example', undefined]) {
    subscribe({ baseUrl: address })
    unsubscribe()
  }
  expect(connect).not.toHaveBeenCalled()
  subscribe()
  expect(connect).toHaveBeenCalled()
})
