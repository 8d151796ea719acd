import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const code = `import { createCore } from '@servicekit/client/core'
import { getMe } from '@servicekit/client/iam'
import { upload } from '@servicekit/client/storage'
const options = { projectKey: 'P1', retry: { attempts: 1 }, maxBytes: 1000 }
const told = (work) => work.then(() => 'it worked', (error) => ({ code: error.code, json: JSON.stringify(error), cause: String(error.cause) }))
window.getMe = (path) => told(getMe(createCore({ ...options, baseUrl: location.origin + path, headers: { authorization: 'Bearer canary-token' } })))
window.upload = (path) => told(upload(createCore({ ...options, baseUrl: location.origin }), new Blob(['file']), {
  name: 'a', resume: { fileId: 'f1', url: location.origin + path, headers: {}, partBytes: 10, sentParts: 0 },
}))`

let script = ''
let sentBytes = 0
const seen: string[] = []
/** Responses by prefix of the path. */
const behaviours: Readonly<
  Record<string, (response: ServerResponse, request: IncomingMessage) => void>
> = {
  '/page.js': (response) => {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(script)
  },
  '/echo': (response, { headers }) => {
    response.writeHead(500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ message: headers.authorization, title: 'Something broke' }))
  },
  '/endless': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = (): void => {
      if (response.destroyed) return
      sentBytes += 65_536
      response.write(' '.repeat(65_536), more)
    }
    more()
  },
  '/moved': (response, request) => {
    request.resume()
    response.writeHead(307, { location: '/stored' }).end()
  },
  '/stored': (response, request) => {
    request.resume().on('end', () => response.end())
  },
}
const server = createServer((request, response) => {
  const { url = '' } = request
  seen.push(url)
  const name = Object.keys(behaviours).find((path) => url.startsWith(path))
  if (name) return behaviours[name]!(response, request)
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end('<!doctype html><script type="module" src="/page.js"></script>')
})

interface Told {
  readonly code: string
  readonly json: string
  readonly cause: string
}

describe.skipIf(isBrowserMissing())('a production bundle in a page', () => {
  let browser: Browser
  let page: Page
  const call = (name: 'getMe' | 'upload', path: string): Promise<Told> =>
    page.evaluate<Told>(`${name}('${path}')`)

  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: { contents: code, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      conditions: ['source'],
    })
    script = outputFiles[0]!.text
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    browser = await launchBrowser()
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction('globalThis.upload')
  })
  afterAll(async () => {
    await browser?.close()
    server.closeAllConnections()
    server.close()
  })

  it('shows no header that the service echoes', async () => {
    const { code, json } = await call('getMe', '/echo')
    expect(code).toBe('REQUEST_REFUSED')
    expect(json).not.toContain('canary')
  })

  it('stops reading at maxBytes', async () => {
    const { code } = await call('getMe', '/endless')
    expect(code).toBe('RESPONSE_TOO_LARGE')
    expect(sentBytes).toBeLessThan(2 ** 26)
  })

  it('reports an upload that was redirected as failed, and does not send it again', async () => {
    expect((await call('upload', '/moved')).code).toBe('UPLOAD_FAILED')
    // XMLHttpRequest cannot refuse the redirect itself.
    expect(seen.filter((url) => url === '/stored')).toHaveLength(1)
    expect(await call('upload', '/stored')).toBe('it worked')
  })
})
