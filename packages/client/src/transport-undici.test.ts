import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, interceptors, MockAgent, setGlobalDispatcher, getGlobalDispatcher } from 'undici'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { TransportRequest } from './transport.ts'
import { undiciTransport } from './transport-undici.ts'

/** Starts a server that is closed at the end of the test. */
async function serve(listener: RequestListener, host = '127.0.0.1'): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => {
    server.listen(0, host, resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
const get = (url: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: 'GET',
  url,
  headers: {},
  signal: new AbortController().signal,
  maxBytes: 1000,
  ...more,
})
const echo: RequestListener = (request, response) => response.end(request.url)

describe('undiciTransport', () => {
  it.each([
    ['', '/'],
    ['/', '/'],
    ['?a=1', '/?a=1'],
    ['/a?b=c%20d&e=/?', '/a?b=c%20d&e=/?'],
    ['/a#b', '/a'],
    ['/ü ö', '/%C3%BC%20%C3%B6'],
    ['/a/../b', '/b'],
  ])('requests the path of %j', async (path, expected) => {
    const { text } = await undiciTransport().send(get((await serve(echo)) + path))
    // A plain path is sent as it is, any other as the URL parser returns it.
    expect([expected, path]).toContain(text)
  })

  it('connects to hosts by name and by address', async () => {
    const { port } = new URL(await serve(echo, '127.0.0.1'))
    const urls = [`http://localhost:${port}/x`, `HTTP://127.0.0.1:${port}/x`]
    const answers = urls.map(async (url) => (await undiciTransport().send(get(url))).text)
    expect(await Promise.all(answers)).toEqual(['/x', '/x'])
  })

  it('skips informational responses', async () => {
    const url = await serve((_, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeProcessing()
      response.writeHead(201, { 'x-a': ['1', '2'], 'set-cookie': ['a=1', 'b=2'] }).end('done')
    })
    expect(await undiciTransport().send(get(url))).toEqual({
      status: 201,
      headers: expect.objectContaining({ 'x-a': '1, 2', 'set-cookie': 'a=1, b=2' }),
      setCookie: ['a=1', 'b=2'],
      text: 'done',
    })
  })

  it('applies the interceptors of a dispatcher', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/new') response.end('here')
      else response.writeHead(302, { location: '/new' }).end()
    })
    const agent = new Agent().compose(interceptors.redirect({ maxRedirections: 1 }))
    expect(await undiciTransport(agent).send(get(`${url}/old`))).toMatchObject({ text: 'here' })
    await agent.close()
  })

  it('works with MockAgent, passed or set globally', async () => {
    const agent = new MockAgent()
    agent.disableNetConnect()
    const pool = agent.get('http://service.test')
    pool.intercept({ path: '/a?b=1', method: 'POST', body: 'x' }).reply(200, { ok: true }).times(2)
    const request = get('http://service.test/a?b=1', { method: 'POST', body: 'x' })
    expect((await undiciTransport(agent).send(request)).text).toBe('{"ok":true}')
    const before = getGlobalDispatcher()
    setGlobalDispatcher(agent)
    onTestFinished(() => setGlobalDispatcher(before))
    expect((await undiciTransport().send(request)).text).toBe('{"ok":true}')
  })

  it('sends nothing after an abort, and removes its listener from a signal that outlives the request', async () => {
    const listener = vi.fn(echo)
    const url = await serve(listener)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(undiciTransport().send(get(url, { signal }))).rejects.toThrow('enough')
    const late = undiciTransport().sendUntil!(get(url), (stop) => stop('too late'))
    await expect(late).rejects.toBe('too late')
    expect(listener).not.toHaveBeenCalled()

    const controller = new AbortController()
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    await undiciTransport().send(get(url, { signal: controller.signal }))
    expect(removed).toHaveBeenCalledOnce()
  })

  it('aborts while an encoded body that never ends is read', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write('\u001f')
    })
    const controller = new AbortController()
    const work = undiciTransport().send(get(url, { signal: controller.signal }))
    setTimeout(() => controller.abort(new Error('enough')), 20)
    await expect(work).rejects.toThrow('enough')
  })

  it('passes on a body of an encoding that was not requested', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' }).end('x')
    })
    expect(await undiciTransport().send(get(url))).toMatchObject({ status: 200, text: 'x' })
  })
})
