import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startHttpProxy } from '@servicekit/testing/http-proxy'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createCore } from './core.ts'
import { listLanguages } from './localization.ts'
import { type Environment, environmentFetch, environmentTransport } from './proxy.ts'

let service: number
beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ method: request.method, url: request.url }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  service = (server.address() as AddressInfo).port
  return () => server.close()
})

async function startProxy(credentials?: string) {
  const options = credentials === undefined ? {} : { credentials }
  const proxy = await startHttpProxy({ target: service, ...options })
  onTestFinished(() => proxy.close())
  return proxy
}

/** Sends a request with the transport and one with `fetch`. */
async function sendTo(url: string, environment: Environment) {
  const signal = AbortSignal.timeout(10_000)
  const { text } = await environmentTransport(environment).send({
    method: 'GET',
    url,
    headers: {},
    signal,
    maxBytes: 1000,
  })
  const response = await environmentFetch(environment)(url, { method: 'POST', body: 'a', signal })
  return [JSON.parse(text), await response.json()] as unknown[]
}

/** Returns the error of a call of a client, and that of a `fetch`. */
async function failuresOf(baseUrl: string, environment: Environment): Promise<readonly string[]> {
  const transport = environmentTransport(environment)
  const core = createCore({ baseUrl, projectKey: 'P1', transport, retry: { attempts: 1 } })
  const failure = (error: unknown): string => String(error)
  return [
    await listLanguages(core).then(String, failure),
    await environmentFetch(environment)(baseUrl).then(String, failure),
  ]
}

describe('requests of tools', () => {
  it('go through the proxy of HTTP_PROXY, in upper and lower case and without a scheme', async () => {
    const proxy = await startProxy()
    const origin = `127.0.0.1:${proxy.port}`
    for (const environment of [
      { HTTP_PROXY: `http://${origin}` },
      { http_proxy: `http://${origin}/` },
      { http_proxy: origin, HTTP_PROXY: 'http://127.0.0.1:1' },
      { HTTP_PROXY: `http://${origin}/path?a=b#c` },
    ]) {
      expect(await sendTo('http://service.test/path?a=b', environment)).toEqual([
        { method: 'GET', url: '/path?a=b' },
        { method: 'POST', url: '/path?a=b' },
      ])
    }
    const url = 'http://service.test/path?a=b'
    expect(proxy.requests).toEqual(
      Array.from({ length: 4 }, () => [`GET ${url}`, `POST ${url}`]).flat(),
    )
  })

  it('send user and password of the URL, percent-decoded', async () => {
    const proxy = await startProxy('ada:p@ss:wörd')
    const password = encodeURIComponent('p@ss:wörd')
    const environment = { HTTP_PROXY: `http://ada:${password}@127.0.0.1:${proxy.port}` }
    await expect(sendTo('http://service.test/', environment)).resolves.toHaveLength(2)
  })

  it('tunnel to https, through HTTPS_PROXY, or HTTP_PROXY if there is none', async () => {
    const [proxy, other] = [await startProxy('a:b'), await startProxy()]
    const url = `http://a:b@127.0.0.1:${proxy.port}`
    const HTTP_PROXY = `http://127.0.0.1:${other.port}`
    // The service does not speak TLS.
    for (const environment of [{ HTTPS_PROXY: url, HTTP_PROXY }, { HTTP_PROXY: url }]) {
      for (const failure of await failuresOf('https://service.test', environment)) {
        expect(failure).toMatch(
          `the connection through the proxy http://127.0.0.1:${proxy.port} failed (`,
        )
        expect(failure).not.toMatch(/\(407\)|a:b/)
      }
    }
    expect(new Set(proxy.requests)).toEqual(new Set(['CONNECT service.test:443']))
    expect(other.requests).toEqual([])
  })

  it.each(['http://service.test', 'https://service.test'])(
    'name the proxy of %s without its password if it refuses them or does not run',
    async (baseUrl) => {
      const proxy = await startProxy('ada:secret-1')
      const stopped = await startHttpProxy({ target: service })
      await stopped.close()
      for (const [url, reason] of [
        [`http://ada:secret-2@127.0.0.1:${proxy.port}`, '407'],
        [`http://127.0.0.1:${proxy.port}`, '407'],
        [`http://ada:secret-2@127.0.0.1:${stopped.port}`, 'ECONNREFUSED'],
        ['http://ada:secret-2@proxy.invalid:8080', 'ENOTFOUND|EAI_AGAIN'],
      ] as const) {
        const environment = { HTTP_PROXY: url, HTTPS_PROXY: url }
        const shown = `http://${new URL(url).host}`
        for (const failure of await failuresOf(baseUrl, environment)) {
          expect(failure).toMatch(
            new RegExp(`the connection through the proxy ${shown} failed \\((?:${reason})\\)`),
          )
          expect(failure).not.toContain('secret')
        }
      }
    },
  )

  it.each([
    ['*', true],
    ['service.test', true],
    ['SERVICE.test', true],
    ['service.test.', true],
    ['service.test.:80', true],
    ['test', true],
    ['.service.test, other', true],
    ['*.test', true],
    ['other service.test:80', true],
    ['service.test:8080', false],
    ['service', false],
    ['vice.test', false],
    ['', false],
    [',', false],
    ['a.service.test', false],
  ])('are direct with NO_PROXY=%s: %s', async (NO_PROXY, isDirect) => {
    const proxy = await startProxy()
    const environment = { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY }
    const outcome = await sendTo('http://service.test/', environment).catch(() => 'direct')
    expect(outcome === 'direct').toBe(isDirect)
    expect(proxy.requests.length > 0).toBe(!isDirect)
  })

  it('are direct to this machine', async () => {
    const environment = { HTTP_PROXY: 'http://127.0.0.1:1' }
    for (const host of ['127.0.0.1', 'localhost']) {
      await expect(sendTo(`http://${host}:${service}/`, environment)).resolves.toHaveLength(2)
    }
  })

  it.each(['ftp://secret:secret@proxy', 'http://secret@', 'http://a:%zz@proxy'])(
    'fail for HTTPS_PROXY=%s',
    (HTTPS_PROXY) => {
      for (const create of [environmentTransport, environmentFetch]) {
        expect(() => create({ HTTPS_PROXY })).toThrow(
          /^HTTPS_PROXY must be the URL of an http or https proxy\n(?!.*secret)/,
        )
      }
    },
  )

  it.each([
    'socks5://ada:secret@proxy:1080',
    'socks://proxy',
    'SOCKS5H://proxy:1',
    'socks4a://proxy:1',
  ])('name the proxies that are supported for HTTPS_PROXY=%s', (HTTPS_PROXY) => {
    for (const create of [environmentTransport, environmentFetch]) {
      expect(() => create({ HTTPS_PROXY })).toThrow(
        /^HTTPS_PROXY must be the URL of an http or https proxy\nSOCKS proxies are not supported\. Set it to http:\/\/host:port(?!.*secret)/,
      )
    }
  })
})
