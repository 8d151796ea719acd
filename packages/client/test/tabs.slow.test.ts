import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import { build } from 'esbuild'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** Timeout of waiting for another tab, in milliseconds. */
const patienceMs = 1500
const code = `import { createCore } from '@servicekit/client'
import { createSession } from '@servicekit/client/auth'
import { getMe } from '@servicekit/client/iam'
const core = createCore({
  baseUrl: location.origin, projectKey: 'P1', headers: { 'x-tab': location.search.slice(1) },
})
window.ended = 0
const session = createSession(core, {
  clientId: 'web', timeoutMs: ${patienceMs}, onEnd: () => { window.ended++ },
})
window.call = async () => (await getMe(session.core)).email
window.signOut = () => session.signOut()`

/** One session for all tabs, which has expired until it is renewed. */
const service = {
  isValid: false,
  /** Tabs that requested a renewal, in order. */
  renewals: [] as string[],
  /** Renewals without a response so far, and the most of them at any time. */
  pending: 0,
  mostPending: 0,
  isHolding: false,
  /** Called with a function that releases a frozen page. */
  freeze: (_thaw: () => void): void => undefined,
}
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url!, 'http://host')
  const scripts = ['/page.js', ...chunks.keys()]
  const reply = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }
  if (pathname === '/') {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><script type="module" src="/page.js"></script>')
  } else if (scripts.includes(pathname)) {
    response.writeHead(200, { 'content-type': 'text/javascript' })
    response.end(chunks.get(pathname))
  } else if (pathname === '/frozen') service.freeze(() => response.end())
  else if (pathname === '/iam/v4/oidc/token') renew(String(request.headers['x-tab']), reply)
  else if (pathname === '/iam/v4/auth/Logout') reply(200, { isSuccess: true })
  else if (service.isValid) reply(200, { data: { itemId: 'u1', email: 'ada@example.com' } })
  else reply(401, { error: 'session_expired' })
})

function renew(tab: string, reply: (status: number, body: unknown) => void): void {
  service.renewals.push(tab)
  service.pending++
  service.mostPending = Math.max(service.mostPending, service.pending)
  // The requesting tab gets no response.
  if (service.isHolding) {
    service.isHolding = false
    return
  }
  service.isValid = true
  // Long enough for other requests to arrive in the meantime.
  setTimeout(() => {
    service.pending--
    reply(200, { token_type: 'Bearer' })
  }, 30)
}

let chunks = new Map<string, string>()
let url: string
let browser: Browser

/** Tabs of one browser, each with its number. */
interface Tabs {
  readonly context: BrowserContext
  readonly pages: Page[]
  readonly open: () => Promise<Page>
}
async function tabsOf(count: number, hasLocks = true): Promise<Tabs> {
  const context = await browser.newContext()
  // As on a page served over plain http from another machine.
  const script = `Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })`
  if (!hasLocks) await context.addInitScript(script)
  const pages: Page[] = []
  let last = 0
  const open = async (): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${url}?${++last}`)
    await page.waitForFunction('window.call')
    pages.push(page)
    return page
  }
  for (let index = 0; index < count; index++) await open()
  for (const page of pages) expect(await page.evaluate('!!navigator.locks')).toBe(hasLocks)
  return { context, pages, open }
}
const numberOf = (page: Page): string => new URL(page.url()).search.slice(1)
const callIn = (page: Page): Promise<unknown> => page.evaluate('window.call()')
const expire = (): void => {
  Object.assign(service, { isValid: false, renewals: [], pending: 0, mostPending: 0 })
}

beforeAll(async () => {
  if (isBrowserMissing()) return
  const built = await build({
    stdin: {
      contents: code,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      sourcefile: 'page.js',
    },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source'],
    splitting: true,
    outdir: '/',
    entryNames: 'page',
    write: false,
    logLevel: 'silent',
  })
  chunks = new Map(
    built.outputFiles.map(({ path, text }) => [path.replace(/^.*[\\/]/, '/'), text] as const),
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  server.closeAllConnections()
  server.close()
})

it.skipIf(isBrowserMissing())(
  'renews the session of a page whose files a deployment has removed',
  async () => {
    const { context, open } = await tabsOf(0)
    const page = await open()
    await page.waitForLoadState('networkidle')
    const deployed = chunks
    chunks = new Map()
    expire()
    const outcome = await callIn(page).catch(String)
    chunks = deployed
    await context.close()
    expect(outcome).toBe('ada@example.com')
  },
)

describe.skipIf(isBrowserMissing()).each([
  ['with Web Locks', true],
  ['without Web Locks', false],
])('browser tabs that share a session, %s', (name, hasLocks) => {
  const cycles = !isDeep ? 4 : hasLocks ? 100 : 24
  let tabs: Tabs
  beforeAll(async () => {
    tabs = await tabsOf(8, hasLocks)
  })
  afterAll(() => tabs?.context.close())

  it('all continue when it expires, repeatedly', { timeout: 300_000 }, async () => {
    let renewals = 0
    let mostPending = 0
    for (let cycle = 0; cycle < cycles * 2; cycle++) {
      expire()
      const calls = tabs.pages.flatMap((page) => [callIn(page), callIn(page)])
      expect(await Promise.all(calls)).toEqual(Array(16).fill('ada@example.com'))
      renewals += service.renewals.length
      mostPending = Math.max(mostPending, service.mostPending)
    }
    if (!hasLocks) return
    expect(mostPending).toBe(1)
    // A tab that is notified late on a busy machine also renews, which is harmless. Without
    // messages, each of the eight tabs would.
    expect(renewals).toBeLessThan(cycles * 2 * 4)
  })

  it(
    'all continue when the one that renews first is closed or frozen',
    { timeout: 600_000 },
    async () => {
      let longestMs = 0
      for (let cycle = 0; cycle < cycles; cycle++) {
        expire()
        service.isHolding = true
        const calls = tabs.pages.map((page) => callIn(page).catch(String))
        await expect.poll(() => service.renewals.length, { timeout: 20_000 }).not.toBe(0)
        const index = tabs.pages.findIndex((page) => numberOf(page) === service.renewals[0])
        const leader = tabs.pages[index]!
        const isClosed = cycle % 2 === 0
        const startMs = performance.now()
        const thaw = isClosed ? undefined : await freeze(leader)
        if (isClosed) await leader.close()
        const others = await Promise.all(calls.toSpliced(index, 1))
        longestMs = Math.max(longestMs, performance.now() - startMs)
        expect(others).toEqual(Array(7).fill('ada@example.com'))
        const { length } = service.renewals
        await thaw?.()
        const outcome = await calls[index]
        // Without locks, a renewal of another tab may end the call before its tab is closed.
        const isOver = !hasLocks && outcome === 'ada@example.com'
        expect(outcome).toMatch(isClosed && !isOver ? /closed/ : /^ada@example\.com$/)
        expect(service.renewals).toHaveLength(length)
        if (!isClosed) continue
        tabs.pages.splice(index, 1)
        await tabs.open()
      }
      if (isDeep) console.log(`${name}: the longest wait was ${Math.round(longestMs)} ms`)
      // A tab waits 1.5 s; the rest allows for a busy machine.
      expect(longestMs).toBeLessThan(15_000)
    },
  )

  it('are all notified of a sign-out in one tab', async () => {
    const ended = (page: Page): Promise<unknown> => page.evaluate('window.ended')
    await Promise.all(tabs.pages.map((page) => page.evaluate('window.ended = 0')))
    const [signedOut, ...rest] = tabs.pages
    await signedOut!.evaluate('window.signOut()')
    for (const page of rest) await expect.poll(() => ended(page)).toBe(1)
    expect(await ended(signedOut!)).toBe(0)
  })
})

/** Freezes a page with a synchronous request. */
async function freeze(page: Page): Promise<() => Promise<void>> {
  const isFrozen = new Promise<() => void>((resolve) => {
    service.freeze = resolve
  })
  const waiting = page.evaluate(
    `const request = new XMLHttpRequest(); request.open('GET', '/frozen', false); request.send()`,
  )
  const thaw = await isFrozen
  return async () => {
    thaw()
    await waiting
  }
}
