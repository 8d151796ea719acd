import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'
import { serve } from '@hono/node-server'
import { isDeep } from '@servicekit/testing/is-deep'
import { recordLeaks } from '@servicekit/testing/record-leaks'
import express from 'express'
import { Hono } from 'hono'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { sendInterleaved } from './interleaved.ts'
import { removeFolders, temporaryFolder, writeApp } from './project.ts'
import { startStorefront, type Storefront } from './storefront.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const requests = isDeep ? 10_000 : 400

/** Text of a page, rendered after a pause like that of a database. */
const page = `import { CART_ITEMS } from '~uilm/cart'
import { FOOTER_NOTE, NAV_ABOUT } from '~uilm/common'

export const page = async (query) => {
  const count = Number(new URLSearchParams(query).get('count'))
  const about = NAV_ABOUT()
  await new Promise((done) => setTimeout(done, count % 4))
  return [about, CART_ITEMS({ count }), FOOTER_NOTE({ year: 2026 })].join()
}
`
const options = `{ strategies: ['path', 'cookie', 'header'] }`
const files = {
  'package.json': '{"type": "module"}',
  'page.js': page,
  'hono.js': `import { createGetPath, languageMiddleware } from '~uilm/hono'
import { page } from './page.js'

export const start = (Hono) =>
  new Hono({ getPath: createGetPath(${options}) })
    .use(languageMiddleware(${options}))
    .get('/', async (c) => c.text(await page(new URL(c.req.url).search)))
    .get('/fails', () => { throw new Error('no page') })
`,
  'express.js': `import { languageMiddleware } from '~uilm/express'
import { page } from './page.js'

export const start = (express) =>
  express()
    .use(languageMiddleware(${options}))
    .get('/', async (request, response) => response.type('text').send(await page(request.url.slice(1))))
`,
  'plain.js': `import { languageMiddleware } from '~uilm/express'

const middleware = languageMiddleware(${options})
// The pages are in a bundle of their own, with a second copy of the runtime.
export const start = (page) => (request, response) =>
  middleware(request, response, async (error) => {
    if (error) response.destroy(error)
    else response.end(await page(request.url.slice(1)))
  })
`,
}

let platform: Storefront
let root: string
beforeAll(async () => {
  platform = await startStorefront()
  root = await temporaryFolder()
  await writeApp(root, files)
  const { baseUrl, projectKey } = platform
  for (const input of ['hono.js', 'express.js', 'plain.js', 'page.js']) {
    await build({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [uilm({ root, baseUrl, projectKey })],
      build: {
        ssr: input,
        outDir: `dist/${input}`,
        rollupOptions: { output: { entryFileNames: 'index.js' } },
      },
    })
  }
  const project = openProject({ root, baseUrl, projectKey })
  const compiled = { outDir: join(root, 'messages'), storageKey: 'uilm-language' }
  await writeFiles(emitProgram(await project.load(), compiled))
  for (const name of ['hono.js', 'express.js', 'page.js'] as const) {
    const text = files[name].replaceAll(/'~uilm\/([\w-]+)'/g, "'../messages/$1.js'")
    await writeApp(root, { [`compiled/${name}`]: text })
  }
})
afterAll(async () => {
  await platform?.close()
  await removeFolders()
})

const load = async (
  name: string,
): Promise<Record<string, (...args: readonly unknown[]) => unknown>> =>
  (await import(
    /* @vite-ignore */ pathToFileURL(join(root, 'dist', name, 'index.js')).href
  )) as never

const onPort = async (server: Server) => {
  if (!server.listening) await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => void server.close(done))
    },
  }
}

const compiledUrl = (name: string): string => pathToFileURL(join(root, 'compiled', name)).href

const servers: Record<string, () => Promise<Awaited<ReturnType<typeof onPort>>>> = {
  Hono: async () => {
    const app = (await load('hono.js'))['start']!(Hono) as Hono
    return onPort(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  },
  Express: async () =>
    onPort(createServer((await load('express.js'))['start']!(express) as RequestListener)),
  'Hono and compiled messages': async () => {
    const { start } = await import(/* @vite-ignore */ compiledUrl('hono.js'))
    return onPort(serve({ fetch: start(Hono).fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  },
  'Express and compiled messages': async () => {
    const { start } = await import(/* @vite-ignore */ compiledUrl('express.js'))
    return onPort(createServer(start(express) as RequestListener))
  },
  'node:http with two copies of the runtime': async () => {
    const { page } = await load('page.js')
    return onPort(createServer((await load('plain.js'))['start']!(page) as RequestListener))
  },
}

describe.each(Object.keys(servers))('a server with %s', (name) => {
  let app: Awaited<ReturnType<typeof onPort>>
  beforeAll(async () => {
    app = await servers[name]!()
  })
  afterAll(() => app.close())

  it('responds to each of many interleaved requests in its language', async () => {
    const report = await sendInterleaved(app.url, requests)
    recordLeaks(name, { requests, wrong: report.wrong, between: report.leaks })
    expect(report).toEqual({ requests, wrong: 0, leaks: 0 })
  })

  it('redirects a document to its language, on the same host', async () => {
    const headers = { accept: 'text/html', 'accept-language': 'de' }
    const redirect = await fetch(`${app.url}//evil.example/?a=1`, { redirect: 'manual', headers })
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      307,
      '/de-DE/evil.example/?a=1',
    ])
    const response = await fetch(`${app.url}/de-DE/?count=1`, { headers })
    expect(response.headers.get('content-language')).toBe('de-DE')
    expect(response.headers.getSetCookie()).toEqual([
      'uilm-language=de-DE; Path=/; Max-Age=31536000; SameSite=Lax',
    ])
  })
})
