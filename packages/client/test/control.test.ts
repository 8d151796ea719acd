import { controlOperations } from '@servicekit/contract/control'
import { expect, it, vi } from 'vitest'
import { type ControlClientOptions, createControl } from '../src/control.ts'
import { answer, fakeRuntime, freeAddress, serve } from './serve.ts'

const json = { 'content-type': 'application/json' }
const path = { project: 'shop' }

const controlFor = (baseUrl: string, options: Partial<ControlClientOptions> = {}) =>
  createControl({ baseUrl, runtime: fakeRuntime().runtime, ...options })

it('repeats a read after 503', async () => {
  const { url, requests } = await serve(answer(503), answer(200, [], json))
  await expect(controlFor(url).send('GET /projects')).resolves.toEqual([])
  expect(requests.map((request) => request.url)).toEqual([
    '/_platform/projects',
    '/_platform/projects',
  ])
})

it('repeats each operation as the contract states its effect', async () => {
  const sent: Record<string, number> = {}
  const control = controlFor('http://platform.test', {
    retry: { attempts: 2 },
    fetch: async (request) => {
      const { method, url } = request as Request
      const address = `${method} ${decodeURIComponent(new URL(url).pathname)}`
      sent[address] = (sent[address] ?? 0) + 1
      return Response.json({}, { status: 503 })
    },
  })
  for (const { route } of controlOperations) {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, `{${name}}`])
    const address = `${route.method} ${route.path.replace('/_platform', '')}` as 'GET /faults'
    const input = { path: Object.fromEntries(names) } as {}
    await expect(control.send(address, input)).rejects.toMatchObject({ status: 503 })
  }
  const expected = controlOperations.map(({ route: { method, path, effect } }) => [
    `${method} ${path}`,
    effect === 'create' ? 1 : 2,
  ])
  expect(sent).toEqual(Object.fromEntries(expected))
})

it('sends a request that creates once', async () => {
  const { url, requests } = await serve(answer(503))
  const sent = controlFor(url).send('POST /projects/{project}/reset', { path })
  await expect(sent).rejects.toMatchObject({ code: 'REQUEST_REFUSED', status: 503 })
  expect(requests).toHaveLength(1)
})

it('ends at its time limit', async () => {
  const { url } = await serve(() => undefined)
  const sent = controlFor(url, { timeoutMs: 50, retry: { attempts: 1 } }).send('GET /projects')
  await expect(sent).rejects.toMatchObject({ code: 'REQUEST_TIMED_OUT' })
})

it('states the reason of the platform, without the token that it echoes', async () => {
  const title = 'The token canary-of-control is not valid'
  const { url } = await serve(answer(403, { title }))
  const sent = controlFor(url, { token: 'canary-of-control' }).send('GET /projects')
  await expect(sent).rejects.toThrow(
    /^The token \[not shown\] is not valid\n {2}url: .*\/projects\n {2}status: 403\nSet SERVICEKIT_CONTROL_TOKEN/,
  )
})

it('states how to start a platform that it cannot reach', async () => {
  const sent = controlFor(await freeAddress()).send('GET /projects')
  await expect(sent).rejects.toThrow(
    /^Cannot reach the platform\n.*\nStart it with `servicekit dev`/,
  )
})

it('sends no request with a path parameter that would address another operation', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>()
  for (const project of ['', '.', '..']) {
    const sent = controlFor('http://platform.test', { fetch }).send('DELETE /projects/{project}', {
      path: { project },
    })
    await expect(sent).rejects.toThrow(new TypeError(`project cannot be "${project}"`))
  }
  expect(fetch).not.toHaveBeenCalled()
})

it('prints bodies, and leaves out parameters that are undefined', async () => {
  const { url, requests } = await serve((response, request) => {
    request.setEncoding('utf8')
    request.on('data', (body: string) =>
      response.writeHead(200, json).end(JSON.stringify({ body })),
    )
  })
  const control = controlFor(url, { print: () => '{"n":9007199254740993}' })
  const sent = control.send('PUT /projects/{project}/drafts', {
    path,
    query: { create: 'true' },
    body: [],
  })
  await expect(sent).resolves.toEqual({ body: '{"n":9007199254740993}' })
  expect(requests[0]!.url).toBe('/_platform/projects/shop/drafts?create=true')
})

it('streams the bytes of a file in both directions, and does not send them again', async () => {
  const received: string[] = []
  const { url, requests } = await serve(
    (response, request) => {
      request.on('data', (chunk: Buffer) => received.push(String(chunk)))
      request.on('end', () => response.writeHead(204).end())
    },
    answer(200, 'bytes of a file'),
    answer(503),
  )
  const control = controlFor(url)
  const file = { path: { project: 'shop', id: 'f1' } }
  const bytes = () => new Blob(['some bytes']).stream() as ReadableStream<Uint8Array>
  await control.send('PUT /projects/{project}/files/{id}', { ...file, bytes: bytes() })
  expect(received.join('')).toBe('some bytes')
  const response = await control.fetch('GET /projects/{project}/files/{id}', file)
  await expect(response.text()).resolves.toBe('bytes of a file')
  const sent = control.send('PUT /projects/{project}/files/{id}', { ...file, bytes: bytes() })
  await expect(sent).rejects.toMatchObject({ status: 503 })
  expect(requests).toHaveLength(3)
})
