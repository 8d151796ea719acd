import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BuildManifest } from '@servicekit/catalog'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import { transformSync } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LiveOptions } from '../src/index.ts'
import { bundlers } from './bundlers.ts'
import { application, countLeaks, expected, texts } from './leaks.ts'
import { type LiveServer, startLiveServer } from './live-server.ts'
import { type Files, removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { serveFolder } from './storefront.ts'
import { startTenants } from './tenants.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const names = isDeep
  ? (Object.keys(bundlers) as (keyof typeof bundlers)[])
  : (['vite', 'webpack'] as const)
const classic = new Set<string>(['webpack', 'rspack'])

/** Returns the translations of the application as a tenant has them. */
const textsOf = (tenant: string, languages: Readonly<Record<string, string>> = {}): Files => {
  const own = Object.entries(texts)
  const added = Object.entries(languages).flatMap(([code, from]) =>
    own
      .filter(([place]) => place.startsWith(from))
      .map(([place, file]): [string, Record<string, unknown>] => [
        place.replace(from, code),
        JSON.parse(JSON.stringify(file).replaceAll(from, code)) as Record<string, unknown>,
      ]),
  )
  return JSON.parse(
    JSON.stringify(Object.fromEntries([...own, ...added])).replaceAll('<', `<${tenant} `),
  ) as Files
}
const shownTo = (tenant: string, page: 'one' | 'two', language: string): string =>
  expected(page, language).replaceAll('<', `<${tenant} `)

let browser: Browser
let platform: Awaited<ReturnType<typeof startTenants>>
let live: LiveServer
const webhook = { headerKey: 'x-live-hook', secret: 'secret' }

beforeAll(async () => {
  platform = await startTenants({
    acme: textsOf('acme'),
    zeta: textsOf('zeta', { 'pt-BR': 'en-US' }),
  })
  live = await startLiveServer((tenant) =>
    ['acme', 'zeta'].includes(tenant)
      ? { baseUrl: platform.baseUrl, projectKey: tenant, webhook }
      : undefined,
  )
  await platform.setWebhook('acme', { url: `${live.origin}/live/acme/webhook`, ...webhook })
  if (!isBrowserMissing()) browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await live?.close()
  await platform?.close()
  await removeFolders()
})

/** Returns the size of the code of a build, without its packs, in bytes after gzip. */
async function codeBytes(root: string, isMinified: boolean): Promise<number> {
  const files = (await readdir(join(root, 'dist'))).filter(
    (file) => file.endsWith('.js') && !file.startsWith('uilm-'),
  )
  const codes = await Promise.all(files.map((file) => readFile(join(root, 'dist', file), 'utf8')))
  const sizes = codes.map((code) => {
    const options = { minify: true, target: 'esnext' } as const
    const minified = isMinified ? code : transformSync(code, options).code
    return gzipSync(minified, { level: 9 }).length
  })
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Returns a function that waits until a page shows a text, and nothing else. */
const showsIn = (page: Page) => (text: string) => {
  const hasText = new RegExp(`^${text.replaceAll(/[|?{}.\\]/g, '\\$&')}$`)
  return page.locator('body').filter({ hasText }).waitFor({ timeout: 15_000 })
}

async function writeProject(): Promise<string> {
  const root = await temporaryFolder()
  await writeApp(root, application)
  await writeSnapshot(root, texts)
  return root
}

describe.each(names)('live updates of a build with %s', (name) => {
  const build = bundlers[name]
  let root: string
  let site: Awaited<ReturnType<typeof serveFolder>>
  let manifest: BuildManifest
  const open = new Set<Page>()

  beforeAll(async () => {
    root = await writeProject()
    const url = `${live.origin}/live/acme/uilm-current.json`
    await build(root, { live: { url, check: 'navigation', waitMs: 60_000 } })
    manifest = JSON.parse(
      await readFile(join(root, 'dist/uilm-manifest.json'), 'utf8'),
    ) as BuildManifest
    live.use(manifest)
    const packs = manifest.chunks.flatMap(({ packs }) => Object.values(packs))
    const integrity = Object.fromEntries(
      packs.map(({ file, integrity }) => [`./${file}`, integrity]),
    )
    const tampered = Object.fromEntries(packs.map(({ file }) => [`./${file}`, packs[0]!.integrity]))
    const html = (map: object, attributes = ''): string =>
      `<!doctype html><html${attributes}><link rel="icon" href="data:,">` +
      `<script type="importmap" nonce="built">${JSON.stringify({ integrity: map })}</script>` +
      `<body></body><script ${classic.has(name) ? '' : 'type="module" '}src="main.js"></script></html>`
    await writeApp(root, {
      'dist/index.html': html(integrity),
      'dist/tampered.html': html(tampered),
      'dist/zeta.html': html(
        integrity,
        ` data-uilm-live="${live.origin}/live/zeta/uilm-current.json"`,
      ),
    })
    site = await serveFolder(join(root, 'dist'), {
      'content-security-policy': `default-src 'none'; img-src data:; script-src 'self' 'nonce-built' ${live.origin}; connect-src ${live.origin}`,
    })
  })
  afterAll(() => site?.close())
  afterEach(async () => {
    live.setMode('up')
    for (const page of open) await page.context().close()
    open.clear()
  })

  /** Opens the first page. */
  async function visit(file = 'index.html') {
    const page = await browser.newPage({ locale: 'de-DE' })
    open.add(page)
    const packs: { url: string; text: Promise<string> }[] = []
    const pageErrors: string[] = []
    page.on('response', (response) => {
      if (!/\/uilm-[\da-f]{8}\./.test(response.url())) return
      // The page may be closed before the body was read.
      packs.push({ url: response.url(), text: response.text().catch(() => '') })
    })
    page.on('pageerror', (error) => void pageErrors.push(String(error)))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) pageErrors.push(message.text())
    })
    await page.goto(`${site.url}${file}#one`)
    return { page, packs, pageErrors, shows: showsIn(page) }
  }
  const navigate = (page: Page) => page.evaluate(`history.pushState({}, '', '?at=' + Date.now())`)

  it('adds at most 950 bytes, and nothing without the option', async () => {
    const [withLive, other] = [await writeProject(), await writeProject()]
    // Nothing depends on where the tests run: neither a port nor the ids of webpack, which are made
    // of the path from the project to the packages by default.
    const ids = { moduleIds: 'natural', chunkIds: 'natural' } as const
    const url = 'https://live.example/acme/uilm-current.json'
    await build(withLive, { live: { url, check: 'navigation', waitMs: 60_000 } }, ids)
    await build(other, {}, ids)
    // Rollup has no minifier of its own.
    const isMinified = name !== 'rollup'
    const added = (await codeBytes(withLive, isMinified)) - (await codeBytes(other, isMinified))
    expect(added).toBeLessThanOrEqual(950)
    expect(added).toBeGreaterThan(100)
    const files = await readdir(join(other, 'dist'))
    expect(files).not.toContain('uilm-manifest.json')
    const codes = await Promise.all(
      files
        .filter((file) => file.endsWith('.js'))
        .map((file) => readFile(join(other, 'dist', file), 'utf8')),
    )
    expect(codes.join('\n')).not.toMatch(/uilmLive|AbortSignal|currententrychange/)
  })

  it('has a manifest whose packs are the files of the build', async () => {
    const files = await readdir(join(root, 'dist'))
    const listed = manifest.chunks.flatMap(({ packs }) =>
      Object.values(packs).map(({ file }) => file),
    )
    expect(listed.sort()).toEqual(files.filter((file) => /^uilm-[\da-f]{8}\./.test(file)).sort())
    expect(await live.compile(root)).toEqual([])
  })

  it('compiles the same packs as a full build of the newer translations', async () => {
    const newer = textsOf('newer', { 'pt-BR': 'en-US' })
    const other = await temporaryFolder()
    await writeApp(other, application)
    await writeSnapshot(other, newer)
    await build(other, {})
    const files = (await readdir(join(other, 'dist'))).filter((file) => file.startsWith('uilm-'))
    const rebuilt = await Promise.all(
      files.map(async (file) => [file, await readFile(join(other, 'dist', file), 'utf8')]),
    )
    const compiled = await live.compile(other)
    expect(Object.fromEntries(compiled)).toEqual(Object.fromEntries(rebuilt))
  })

  describe.skipIf(isBrowserMissing())('in a browser, under a strict policy', () => {
    it('shows each tenant its own messages, and downloads only those of the page', async () => {
      const acme = await visit()
      await acme.shows(shownTo('acme', 'one', 'de-DE'))
      expect(acme.packs.every(({ url }) => url.startsWith(`${live.origin}/live/acme/`))).toBe(true)
      const bodies = await Promise.all(acme.packs.map(({ text }) => text))
      const downloaded = bodies.join('\n')
      expect(countLeaks(downloaded.replaceAll('<acme ', '<'), 'one', 'de-DE')).toEqual({
        languages: 0,
        unused: 0,
        pages: 0,
      })
      const zeta = await visit('zeta.html')
      await zeta.shows(shownTo('zeta', 'one', 'de-DE'))
      await zeta.page.evaluate(`setLanguage('pt-BR')`)
      await zeta.shows(shownTo('zeta', 'one', 'pt-BR'))
      await zeta.page.evaluate(`open_('two')`)
      await zeta.shows(shownTo('zeta', 'two', 'pt-BR'))
      await acme.page.evaluate(
        `setLanguage('pt-BR').catch((error) => { document.title = error.message })`,
      )
      expect(await acme.page.title()).toMatch(/^Unknown language "pt-BR"/)
      expect([...acme.pageErrors, ...zeta.pageErrors]).toEqual([])
    })

    it('shows a published translation at the next navigation, and refuses other parameters', async () => {
      const { page, shows, packs, pageErrors } = await visit()
      const first = shownTo('acme', 'one', 'de-DE')
      await shows(first)
      const before = packs.length
      const publish = async (key: string, value: string): Promise<void> => {
        const compiled = live.nextEvent()
        await platform.publish('acme', { language: 'de-DE', module: 'even', key, value })
        await compiled
      }
      await publish('KEY_00', '<acme de-DE:KEY_00>!')
      await navigate(page)
      await shows(first.replace('KEY_00>', 'KEY_00>!'))
      // Only the pack of the chunk with this message.
      expect(packs.length - before).toBe(1)

      await publish('GREETING', 'Hallo {{vorname}}')
      await publish('KEY_04', '<acme de-DE:KEY_04>?')
      await navigate(page)
      await shows(first.replace('KEY_00>', 'KEY_00>!').replace('KEY_04>', 'KEY_04>?'))
      expect(live.refused.at(-1)).toMatchObject({ key: 'GREETING', language: 'de-DE' })
      expect(pageErrors).toEqual([])
      await publish('KEY_00', '<acme de-DE:KEY_00>')
      await publish('KEY_04', '<acme de-DE:KEY_04>')
      await publish('GREETING', 'de-DE {{name}}')
    })

    it('shows the messages of the build while the server is down, and the newer ones later', async () => {
      live.setMode('down')
      const { page, shows, pageErrors } = await visit()
      await shows(expected('one', 'de-DE'))
      await page.evaluate(`setLanguage('ar-EG')`)
      await shows(expected('one', 'ar-EG'))
      live.setMode('up')
      await navigate(page)
      await shows(shownTo('acme', 'one', 'ar-EG'))
      // Packs that are gone do not replace what the page shows.
      live.setMode('down')
      await navigate(page)
      await page.evaluate(`setLanguage('en-US')`)
      await shows(expected('one', 'en-US'))
      expect(pageErrors).toEqual([])
    })

    it('keeps its messages and language if the server sends empty packs', async () => {
      live.setMode('empty')
      const { page, shows, pageErrors } = await visit()
      await shows(expected('one', 'de-DE'))
      live.setMode('up')
      // A browser keeps the module of an address until the page is loaded again.
      await page.reload()
      await shows(shownTo('acme', 'one', 'de-DE'))
      expect(await page.getAttribute('html', 'lang')).toBe('de-DE')
      expect(pageErrors).toEqual([])
    })

    it('keeps its messages offline', async () => {
      const { page, shows, pageErrors } = await visit()
      await shows(shownTo('acme', 'one', 'de-DE'))
      await page.context().setOffline(true)
      const failed = page.waitForEvent('requestfailed')
      await navigate(page)
      await failed
      await shows(shownTo('acme', 'one', 'de-DE'))
      expect(pageErrors).toEqual([])
    })

    it('loads built packs only with their integrity', async () => {
      live.setMode('down')
      const failed = new Promise<string>((done) => {
        void browser.newPage({ locale: 'de-DE' }).then((page) => {
          open.add(page)
          page.on('console', (message) => {
            if (/integrity/i.test(message.text())) done(message.text())
          })
          return page.goto(`${site.url}tampered.html#one`)
        })
      })
      expect(await failed).toContain('integrity')
    })
  })
})

/** Builds the application with vite, serves it with the newer messages of a tenant, and opens a page. */
async function openBuild(options: Omit<LiveOptions, 'url'>) {
  const root = await writeProject()
  const url = `${live.origin}/live/acme/uilm-current.json`
  await bundlers.vite(root, { live: { url, ...options } })
  await writeApp(root, {
    'dist/index.html':
      '<!doctype html><link rel="icon" href="data:,"><body></body><script type="module" src="main.js"></script>',
  })
  const manifest = await readFile(join(root, 'dist/uilm-manifest.json'), 'utf8')
  live.use(JSON.parse(manifest) as BuildManifest)
  const site = await serveFolder(join(root, 'dist'))
  const page = await browser.newPage({ locale: 'de-DE' })
  return { site, page, shows: showsIn(page) }
}

it.skipIf(isBrowserMissing())('does not wait longer than its limit for a slow server', async () => {
  const { site, page, shows } = await openBuild({ check: 'navigation', waitMs: 200 })
  live.setMode('slow')
  await page.goto(`${site.url}#one`)
  await shows(expected('one', 'de-DE'))
  live.setMode('up')
  await shows(shownTo('acme', 'one', 'de-DE'))
  expect(await page.getAttribute('html', 'lang')).toBe('de-DE')
  await page.context().close()
  await site.close()
})

describe.skipIf(isBrowserMissing())('a page that looks for newer messages every second', () => {
  it('begins with the messages of the build and replaces them', async () => {
    const { site, page, shows } = await openBuild({ check: 1 })
    live.setMode('slow')
    await page.goto(`${site.url}#one`)
    await shows(expected('one', 'de-DE'))
    live.setMode('up')
    await shows(shownTo('acme', 'one', 'de-DE'))
    const compiled = live.nextEvent()
    const text = { language: 'de-DE', module: 'even', key: 'KEY_00', value: 'neu' }
    await platform.publish('acme', text)
    await compiled
    await shows(shownTo('acme', 'one', 'de-DE').replace('<acme de-DE:KEY_00>', 'neu'))
    expect(await page.getAttribute('html', 'lang')).toBe('de-DE')
    await page.context().close()
    await site.close()
    await platform.publish('acme', { ...text, value: '<acme de-DE:KEY_00>' })
  })
})
