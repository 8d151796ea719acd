import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isBrowserMissing, launchBrowser } from '@servicekit/workspace/browser'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const isDeep = process.env['SERVICEKIT_DEEP'] === '1'
const code = `import { createCore } from '@servicekit/client'
import { createSession } from '@servicekit/client/auth'
import { getMe } from '@servicekit/client/iam'
const core = createCore({ baseUrl: location.origin, projectKey: 'P1' })
window.ended = 0
const session = createSession(core, {
  clientId: 'web', timeoutMs: 1500, onEnd: () => { window.ended++ },
})
window.call = async () => (await getMe(session.core)).email
window.signOut = () => session.signOut()`

/** One session for all tabs, that is over until somebody renews it. */
const service = { isValid: false, renewals: 0, held: [] as ServerResponse[], isHolding: false }
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url!, 'http://host')
  const reply = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  if (pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><script type="module" src="/page.js"></script>')
  } else if (pathname === '/page.js') {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(script)
  } else if (pathname === '/iam/v4/oidc/token') {
    service.renewals++
    if (service.isHolding) {
      service.isHolding = false
      service.held.push(response)
      return
    }
    service.isValid = true
    // Long enough for others to come while it is under way.
    setTimeout(() => reply(200, { token_type: 'Bearer' }), 30)
  } else if (pathname === '/iam/v4/auth/Logout') reply(200, { isSuccess: true })
  else if (service.isValid) reply(200, { data: { itemId: 'u1', email: 'ada@example.com' } })
  else reply(401, { error: 'session_expired' })
})
let script = ''
let url: string
let browser: Browser

describe.skipIf(isBrowserMissing())('tabs of a browser that share a session', () => {
  const pages: Page[] = []
  beforeAll(async () => {
    const built = await build({
      stdin: { contents: code, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
      bundle: true,
      format: 'esm',
      platform: 'browser',
      conditions: ['source'],
      write: false,
      logLevel: 'silent',
    })
    script = built.outputFiles[0]!.text
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    browser = await launchBrowser()
    const context = await browser.newContext()
    for (let index = 0; index < 8; index++) {
      const page = await context.newPage()
      await page.goto(url)
      await page.waitForFunction('window.call')
      pages.push(page)
    }
  })
  afterAll(async () => {
    await browser?.close()
    server.closeAllConnections()
    server.close()
  })
  const callIn = (page: Page): Promise<unknown> => page.evaluate('window.call()')
  const expire = (): void => {
    Object.assign(service, { isValid: false, renewals: 0 })
  }

  it('renew it once for all of them, time after time', async () => {
    for (let cycle = 0; cycle < (isDeep ? 100 : 10); cycle++) {
      expire()
      const emails = await Promise.all(pages.flatMap((page) => [callIn(page), callIn(page)]))
      expect(emails).toEqual(Array(16).fill('ada@example.com'))
      expect(service.renewals).toBe(1)
    }
  })

  it('go on at once when the one that renews is closed', async () => {
    expire()
    service.isHolding = true
    const leader = pages.pop()!
    const lost = callIn(leader).catch(() => 'closed')
    await expect.poll(() => service.held.length).toBe(1)
    const others = Promise.all(pages.map((page) => callIn(page)))
    await leader.close()
    expect(await others).toEqual(Array(7).fill('ada@example.com'))
    expect(await lost).toBe('closed')
    expect(service.renewals).toBe(2)
  })

  it('wait no longer than they may for one that is frozen', async () => {
    expire()
    service.isHolding = true
    const [leader, ...rest] = pages
    const frozen = callIn(leader!).catch(String)
    await expect.poll(() => service.held.length).toBe(2)
    const cdp = await leader!.context().newCDPSession(leader!)
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
    const startMs = performance.now()
    expect(await Promise.all(rest.map((page) => callIn(page)))).toEqual(
      Array(6).fill('ada@example.com'),
    )
    // 1.5 s is what they wait; the rest is for a machine that is busy.
    expect(performance.now() - startMs).toBeLessThan(15_000)
    await cdp.send('Page.setWebLifecycleState', { state: 'active' })
    expect(await frozen).toBe('ada@example.com')
    expire()
    expect(await Promise.all(rest.map((page) => callIn(page)))).toHaveLength(6)
    expect(service.renewals).toBe(1)
  })

  it('all hear of a sign-out in one of them', async () => {
    const ended = (page: Page): Promise<unknown> => page.evaluate('window.ended')
    await Promise.all(pages.map((page) => page.evaluate('window.ended = 0')))
    await pages[1]!.evaluate('window.signOut()')
    const [, signedOut, ...rest] = pages
    for (const page of rest) await expect.poll(() => ended(page)).toBe(1)
    expect(await ended(signedOut!)).toBe(0)
  })
})
