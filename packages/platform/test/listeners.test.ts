import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPlatform, type Platform } from '../src/index.ts'
import { project } from './projects.ts'

/** Request that a listener received. */
interface Delivery {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

let server: Server
let address = ''
let deliveries: Delivery[] = []
let answers: number[] = []
let arrived = (): void => {}
const errors: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const { url = '', headers } = request
      deliveries.push({ path: url, headers, body: JSON.parse(text) })
      response.writeHead(answers.shift() ?? 200).end()
      arrived()
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

let platform: Platform
beforeAll(async () => {
  platform = await createPlatform({
    onError: ({ message }) => errors.push(message),
    listeners: [{ url: `${address}/every`, headerKey: 'x-from', secret: 'option' }],
  })
  await platform.loadProject(project('P', { en: { a: { ONE: '1' } } }))
  await platform.loadProject(project('Q', { en: { a: { ONE: '1' } } }))
  await delivered(2)
})
afterAll(() => platform.close())

const delivered = async (count: number): Promise<readonly Delivery[]> => {
  while (deliveries.length < count) {
    await new Promise<void>((resolve) => {
      arrived = resolve
    })
  }
  const taken = deliveries
  deliveries = []
  return taken.sort((a, b) => (a.path < b.path ? -1 : 1))
}
const control = async (method: string, path: string, body?: unknown) => {
  const response = await platform.fetch(
    new Request(`http://local/_platform/projects${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}
const setText = (value: string, key = 'P') =>
  control('PUT', `/${key}/texts`, [{ language: 'en', module: 'a', key: 'ONE', value }])

it('sends the event of an edit in the format of webhooks, and never returns a secret', async () => {
  const added = await control('POST', '/P/listeners', {
    url: `${address}/own`,
    headerKey: 'X-Secret',
    secret: 'canary',
  })
  expect(added).toEqual({
    status: 201,
    body: { id: '2', url: `${address}/own`, headerKey: 'X-Secret' },
  })
  await setText('2')
  const [every, own] = await delivered(2)
  expect(own!.body).toMatchObject({
    GenerateUilmFilesEvent: { Guid: expect.stringMatching(/^[\da-f-]{36}$/), ProjectKey: 'P' },
  })
  expect(own!.headers).toMatchObject({ 'content-type': 'application/json', 'x-secret': 'canary' })
  expect(every!.body).toEqual(own!.body)
  expect(every!.headers['x-from']).toBe('option')
  expect(JSON.stringify((await control('GET', '/P/listeners')).body)).not.toContain('canary')
})

it('sends events of its own project only, also when the project is loaded again', async () => {
  await platform.loadProject(project('P', { en: { a: { ONE: '3' } } }))
  expect((await delivered(2)).map(({ path }) => path)).toEqual(['/every', '/own'])
  await setText('2', 'Q')
  expect((await delivered(1)).map(({ path }) => path)).toEqual(['/every'])
})

it('retries a failed delivery twice and then reports an error', async () => {
  await control('POST', '/P/listeners', { url: `${address}/own` })
  answers = [500, 500]
  await setText('4')
  expect((await delivered(4)).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/every', '/own']),
  )
  expect(errors).toEqual([])
  answers = Array.from({ length: 6 }, () => 500)
  await setText('5')
  await delivered(6)
  await expect.poll(() => errors.length).toBe(2)
  expect(errors).toContain(`The listener ${address}/own did not receive an event: status 500`)
})

it('replaces a listener with the same URL, and removes listeners', async () => {
  const listed = (await control('GET', '/P/listeners')).body as { id: string }[]
  expect(listed).toHaveLength(2)
  expect((await control('DELETE', `/P/listeners/${listed[1]!.id}`)).status).toBe(204)
  expect((await control('DELETE', `/P/listeners/${listed[1]!.id}`)).status).toBe(404)
  expect((await control('DELETE', '/P/listeners')).status).toBe(204)
  await setText('6')
  expect((await delivered(1)).map(({ path }) => path)).toEqual(['/every'])
})

it.each([
  ['http://example.org/hook', 'is not a loopback address'],
  ['http://localhost.example.org/', 'is not a loopback address'],
  ['http://127.0.0.1.example.org/', 'is not a loopback address'],
  ['file:///etc/passwd', 'is not an http or https URL'],
  ['http://user:pass@localhost/', 'cannot contain credentials'],
  ['nothing', 'is not a valid URL'],
])('rejects the URL %s', async (url, title) => {
  const answer = await control('POST', '/P/listeners', { url })
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ title: expect.stringContaining(title) as unknown })
})

it('rejects an invalid header and an unknown project', async () => {
  const half = await control('POST', '/P/listeners', { url: address, secret: 's' })
  const broken = { url: address, headerKey: 'a b', secret: 's' }
  expect(half.status).toBe(400)
  expect((await control('POST', '/P/listeners', broken)).status).toBe(400)
  expect((await control('POST', '/none/listeners', { url: address })).status).toBe(404)
  await expect(createPlatform({ listeners: [{ url: 'http://10.0.0.1/' }] })).rejects.toMatchObject({
    code: 'OPTION_INVALID',
  })
})
