import { request as httpRequest } from 'node:http'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { build, createServer } from 'vite'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'

// Runs a bundler and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

afterAll(removeFolders)

const app = (name: string) => ({
  'package.json': '{"type": "module"}',
  'index.html':
    '<!doctype html><link rel="icon" href="data:,"><button></button><input id="own"><script type="module" src="/src/main.js"></script>',
  'src/main.js': `import { subscribe } from '~uilm'
import { ${name} } from '~uilm/cart'
const show = () => void (document.querySelector('button').textContent = ${name}({ count: 2 }))
subscribe(show)
show()
`,
  'locales/en-US/cart.json': '{\n  "CHECKOUT": "Check out"\n}\n',
  'locales/de-DE/cart.json': '{\n  "CHECKOUT": "Zur Kasse"\n}\n',
})

async function start(name: string, options: Parameters<typeof uilm>[0] = {}) {
  const root = await temporaryFolder()
  await writeApp(root, app(name))
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [uilm({ root, from: 'locales', pollMs: 0, ...options })],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
  onTestFinished(() => server.close())
  return { root, server, url: server.resolvedUrls!.local[0]! }
}

describe.skipIf(isBrowserMissing())('the form for an unknown key', () => {
  let browser: Browser
  let tab: Page
  const pageErrors: string[] = []
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    tab = await browser.newPage({ locale: 'en-US' })
    pageErrors.length = 0
    tab.on('pageerror', (error) => void pageErrors.push(String(error)))
    onTestFinished(() => tab.close())
  })

  const form = () => tab.locator('uilm-key-form form')
  const shows = (text: string) =>
    tab.locator('body > button').getByText(text, { exact: true }).waitFor()

  it('creates the key and shows its text within a second, without a reload', async () => {
    const { root, url } = await start('CHEKOUTS')
    await tab.goto(url)
    await shows('CHEKOUTS')
    await form().getByText('Did you mean CHECKOUT (“Check out”)?').waitFor()
    await tab.evaluate('window.mark = true')
    await tab.fill('#own', 'half')
    await form().locator('textarea').fill('Check out {{count}} items')
    await form().locator('[name=context]').fill('button')
    await form().locator('[name=maxLength]').fill('40')
    const started = performance.now()
    await form().locator('[type=submit]').click()
    await shows('Check out 2 items')
    const ms = performance.now() - started
    await tab.locator('uilm-key-form').waitFor({ state: 'detached' })
    expect(await tab.evaluate('window.mark')).toBe(true)
    expect(await tab.inputValue('#own')).toBe('half')
    expect(pageErrors).toEqual([])
    // A bound, not a measurement: the machine may be busy.
    expect(ms).toBeLessThan(10_000)

    const files = ['locales/en-US/cart.json', 'locales/uilm.keys.json']
    const [source, keys] = await Promise.all(
      files.map((file) => readFile(join(root, file), 'utf8')),
    )
    expect(JSON.parse(source!)).toMatchObject({ CHEKOUTS: 'Check out {{count}} items' })
    expect(JSON.parse(keys!)).toMatchObject({
      cart: { CHEKOUTS: { context: 'button', maxLength: 40 } },
    })
    expect(await readFile(join(root, '.servicekit/types/uilm/cart.d.ts'), 'utf8')).toContain(
      'CHEKOUTS',
    )
    await tab.reload()
    await shows('Check out 2 items')
    expect(await tab.locator('uilm-key-form').count()).toBe(0)
  })

  it('shows why a key cannot be created, and closes when the code is corrected', async () => {
    const { root, url } = await start('CHEKOUT')
    await tab.goto(url)
    await form().locator('textarea').fill('too long')
    await form().locator('[name=maxLength]').fill('3')
    await form().locator('[type=submit]').click()
    await form().locator('[role=alert]').getByText('more than its maximum length 3').waitFor()
    await writeApp(root, { 'src/main.js': app('CHECKOUT')['src/main.js'] })
    await shows('Check out')
    await tab.locator('uilm-key-form').waitFor({ state: 'detached' })
    expect(pageErrors).toEqual([])
  })

  it('is not shown without a service to add the key to', async () => {
    const root = await temporaryFolder()
    await writeSnapshot(root, { 'en-US/cart': { CHECKOUT: 'Check out' } })
    await writeApp(root, app('CHEKOUT'))
    const other = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [uilm({ root })],
      server: { host: '127.0.0.1', port: 0 },
    })
    await other.listen()
    onTestFinished(() => other.close())
    await tab.goto(other.resolvedUrls!.local[0]!)
    await tab.locator('vite-error-overlay').waitFor({ state: 'attached' })
    expect(await tab.locator('uilm-key-form').count()).toBe(0)
    expect(
      (await fetch(`${other.resolvedUrls!.local[0]}__uilm/keys`, { method: 'POST' })).status,
    ).not.toBe(204)
  })
})

describe('the route that creates keys', () => {
  let url: URL
  let token: string
  let root: string
  beforeEach(async () => {
    const started = await start('CHECKOUT')
    root = started.root
    url = new URL(started.url)
    const code = await (await fetch(new URL('/@id/__x00__~uilm-dev/settings.js', url))).text()
    token = /const token = "([^"]+)"/.exec(code)![1]!
  })

  const key = { module: 'cart', key: 'ADDED', text: 'Added' }
  /** Sends a request as a page or a program would, with any header. */
  const send = (headers: Record<string, string>, body = JSON.stringify(key), method = 'POST') =>
    new Promise<number>((resolve, reject) => {
      const all = {
        host: url.host,
        origin: url.origin,
        'content-type': 'application/json',
        'x-uilm-token': token,
        ...headers,
      }
      const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
      const { port } = url
      const request = httpRequest(
        { host: '127.0.0.1', port, path: '/__uilm/keys', method, headers: sent },
        (response) => void response.resume().on('end', () => resolve(response.statusCode!)),
      )
      request.on('error', reject).end(body)
    })
  const source = () => readFile(join(root, 'locales/en-US/cart.json'), 'utf8')

  it('refuses requests of other pages, of other names of this machine, and without the token', async () => {
    const before = await source()
    const refused: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'http://127.0.0.1:1' },
      { origin: '' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { host: 'rebound.example', origin: 'http://rebound.example' },
      { 'x-uilm-token': '' },
      { 'x-uilm-token': 'x'.repeat(token.length) },
    ]
    for (const headers of refused) expect([headers, await send(headers)]).toEqual([headers, 403])
    expect(await send({ 'content-type': 'text/plain' })).toBe(415)
    expect(await send({}, '{"module": "cart"}')).toBe(400)
    expect(await send({}, `"${'x'.repeat(70_000)}"`)).toBe(413)
    expect(await send({}, '', 'GET')).toBe(405)
    expect(await source()).toBe(before)
    expect(await send({})).toBe(204)
    expect(JSON.parse(await source())).toMatchObject({ ADDED: 'Added' })
    expect(await send({})).toBe(204)
    expect(await send({}, JSON.stringify({ ...key, text: 'Other' }))).toBe(409)
    expect(await send({}, JSON.stringify({ ...key, module: 'crat' }))).toBe(422)
  })
})

it('is not part of a build', async () => {
  const root = await temporaryFolder()
  await writeApp(root, app('CHECKOUT'))
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [uilm({ root, from: 'locales' })],
  })
  const names = await readdir(join(root, 'dist'), { recursive: true, withFileTypes: true })
  let bytes = 0
  for (const entry of names.filter((one) => one.isFile())) {
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8')
    bytes += [...text.matchAll(/uilm-key-form|__uilm\/keys|closeKeyForm|x-uilm-token|uilm-form/g)]
      .map(([match]) => match.length)
      .reduce((sum, length) => sum + length, 0)
  }
  expect(bytes).toBe(0)
})
