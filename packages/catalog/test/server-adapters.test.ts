import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { writeRuntime } from './write-runtime.ts'

const importFile = await writeRuntime({
  languages: ['en-US', 'de-DE'].map((code) => ({ code, name: code })),
  defaultLanguage: 'en-US',
  storageKey: 'uilm-language',
})
const { languageMiddleware } = (await importFile('express')) as {
  readonly languageMiddleware: (
    options: object,
  ) => (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<void>
}
const { handleLanguage } = (await importFile('server')) as {
  readonly handleLanguage: (
    request: Request,
    options: object,
  ) => Promise<{ readonly language: string; readonly url: URL; readonly headers: Headers }>
}

interface Result {
  readonly status: number | undefined
  readonly location: string | undefined
  readonly cookie: string | undefined
  readonly body: string
}

/** Starts a server of node:http with the middleware; returns a function that sends to it. */
async function serve(options: object) {
  const middleware = languageMiddleware(options)
  const started = createServer((incoming, response) => {
    void middleware(incoming, response, () => {
      const { language } = incoming as { language?: string }
      response.end(`${incoming.method} ${incoming.url} ${language}`)
    })
  })
  await new Promise<void>((resolve) => {
    started.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void started.close())
  const { port } = started.address() as AddressInfo
  return (method: string, path: string, headers: Record<string, string> = {}): Promise<Result> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
        let body = ''
        response.on('data', (chunk: Buffer) => (body += String(chunk)))
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            location: response.headers.location,
            cookie: response.headers['set-cookie']?.join(),
            body,
          }),
        )
      })
      sent.on('error', reject).end()
    })
}
const page = { accept: 'text/html', 'sec-fetch-dest': 'document', 'accept-language': 'de' }

describe('the middleware for Express and node:http', () => {
  const options = { strategies: ['path', 'cookie', 'header'] }

  it.each(['GET', 'HEAD'])('redirects %s of a document', async (method) => {
    const send = await serve(options)
    expect(await send(method, '/cart', page)).toMatchObject({
      status: 307,
      location: '/de-DE/cart',
    })
  })

  // A form is sent as a document: its browser would repeat it, or lose its body.
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    'passes on %s of a document',
    async (method) => {
      const send = await serve(options)
      const result = await send(method, '/cart', { ...page, 'content-length': '0' })
      expect(result).toMatchObject({ status: 200, body: `${method} /cart de-DE` })
    },
  )
})

it('reads the path of a request with a whole address, as some proxies send it', async () => {
  const send = await serve({ strategies: ['path', 'cookie', 'header'] })
  expect(await send('GET', 'http://shop.test/cart?a=1', page)).toMatchObject({
    status: 307,
    location: '/de-DE/cart?a=1',
  })
  expect(await send('GET', 'HTTP://shop.test/de-DE/cart', page)).toMatchObject({
    body: 'GET /cart de-DE',
  })
})

it('redirects below the path that Express mounts it at', async () => {
  const app = express()
  app.use('/shop', languageMiddleware({ strategies: ['path', 'header'] }))
  app.use((incoming, response) => {
    response.end(`${incoming.originalUrl} ${(incoming as { language?: string }).language}`)
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const open = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: page, redirect: 'manual' })
  const redirected = await open('/shop/cart?a=b')
  expect(redirected.headers.get('location')).toBe('/shop/de-DE/cart?a=b')
  expect(await (await open('/shop/de-DE/cart?a=b')).text()).toBe('/shop/de-DE/cart?a=b de-DE')
})

it('finds the language of a domain in HTTP/2', async () => {
  const middleware = languageMiddleware({
    strategies: ['domain', 'cookie'],
    domains: { 'de-DE': 'shop.de' },
  })
  const server = createHttp2Server((incoming, response) => {
    const given = [incoming, response] as unknown as Parameters<typeof middleware>
    void middleware(given[0], given[1], () => {
      response.end(String((incoming as { language?: string }).language))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => void session.close())
  const languages = ['shop.de', 'shop.com'].map(async (authority) =>
    text(session.request({ ':path': '/cart', ':authority': authority, ...page })),
  )
  expect(await Promise.all(languages)).toEqual(['de-DE', 'en-US'])
})

describe('the language of a domain behind a proxy', () => {
  const options = { strategies: ['domain', 'path', 'cookie'], domains: { 'de-DE': 'shop.de' } }
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.de' }

  it('is that of the host, whether or not the proxy ended TLS', async () => {
    const send = await serve(options)
    expect((await send('GET', '/cart', { ...page, host: 'shop.de' })).body).toBe('GET /cart de-DE')
    expect((await send('GET', '/cart', { ...page, host: 'shop.com' })).status).toBe(307)
  })

  it.each([
    'shop.de.',
    'SHOP.de',
    'shop.de:80',
    'shop.de:443',
    'shop.de.:443',
    'xn--mnchen-3ya.de',
    'xn--mnchen-3ya.de.',
  ])('is that of the host, also if it is written as %s', async (host) => {
    const domains = { 'de-DE': host.startsWith('xn') ? 'München.de.' : 'shop.de' }
    const send = await serve({ ...options, domains })
    expect((await send('GET', '/cart', { ...page, host })).body).toBe('GET /cart de-DE')
    const trusting = await serve({ ...options, domains, trustProxy: true })
    const headers = { ...page, 'x-forwarded-host': host }
    expect((await trusting('GET', '/cart', headers)).body).toBe('GET /cart de-DE')
  })

  it.each(['shop.de:8443', 'shop.de..', 'www.shop.de', 'shop.de.evil.example'])(
    'is the default for %s, which is another host',
    async (host) => {
      const send = await serve(options)
      expect((await send('GET', '/cart', { ...page, host })).location).toBe('/en-US/cart')
    },
  )

  it('is that of the forwarded host only if the proxy is trusted', async () => {
    const trusting = await serve({ ...options, trustProxy: true })
    expect((await trusting('GET', '/cart', { ...page, ...forwarded })).body).toBe('GET /cart de-DE')
    const others = await serve(options)
    expect((await others('GET', '/cart', { ...page, ...forwarded })).location).toBe('/en-US/cart')
  })

  it('is read from the first of several proxies', async () => {
    const send = await serve({ ...options, trustProxy: true })
    const headers = { 'x-forwarded-proto': 'https, http', 'x-forwarded-host': 'shop.de, inner:80' }
    expect((await send('GET', '/cart', { ...page, ...headers })).body).toBe('GET /cart de-DE')
  })

  it('is that of the host if the forwarded headers are invalid', async () => {
    const send = await serve({ ...options, trustProxy: true })
    for (const headers of [
      { 'x-forwarded-host': 'a b' },
      { 'x-forwarded-host': '' },
      { 'x-forwarded-proto': 'javascript' },
      { 'x-forwarded-host': 'evil.test/shop.de?' },
    ]) {
      const result = await send('GET', '/cart', { ...page, host: 'shop.de', ...headers })
      expect(result.body).toBe('GET /cart de-DE')
    }
  })

  it('is stored in a cookie that is secure if the visitor uses TLS', async () => {
    const send = await serve({ ...options, trustProxy: true })
    const secure = await send('GET', '/de-DE/cart', { ...page, 'x-forwarded-proto': 'https' })
    expect(secure.cookie).toContain('; Secure')
    const plain = await send('GET', '/de-DE/cart', page)
    expect(plain.cookie).not.toContain('Secure')
  })

  it('leaves the URL of the request on its own host', async () => {
    const request = new Request('http://inner:3000/de-DE/cart', { headers: forwarded })
    const { language, url } = await handleLanguage(request, { ...options, trustProxy: true })
    expect([language, url.href]).toEqual(['de-DE', 'http://inner:3000/cart'])
  })
})
