import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { removeFolders, temporaryFolder, writeApp } from './project.ts'

// Runs a development server and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let server: ViteDevServer
const warnings: string[] = []
const infos: string[] = []

const modules = Array.from({ length: 50 }, (_, index) => `part${index}`)
const at = (path: string): string => join(root, 'locales', path)
const write = async (path: string, content: object | string): Promise<void> => {
  await mkdir(dirname(at(path)), { recursive: true })
  await writeFile(
    at(path),
    typeof content === 'string' ? content : JSON.stringify(content, null, 2),
  )
}
const git = (...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: root,
    stdio: 'ignore',
  })

beforeAll(async () => {
  root = await temporaryFolder()
  await writeApp(root, {
    'index.html':
      '<h1 id="title"></h1><p id="all"></p><script type="module" src="/main.js"></script>',
    'main.js': `import { subscribe } from '~uilm'
import { TITLE } from '~uilm/shop'
${modules.map((name) => `import { TEXT as ${name} } from '~uilm/${name}'`).join('\n')}
const show = () => {
  document.querySelector('#title').textContent = TITLE()
  document.querySelector('#all').textContent = [${modules.map((name) => `${name}()`).join(', ')}].join(' ')
}
show()
subscribe(show)
`,
  })
  await write('en/shop.json', { TITLE: 'Shop' })
  await write('de/shop.json', { TITLE: 'Laden' })
  for (const name of modules) await write(`en/${name}.json`, { TEXT: 'old' })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'old')
  const customLogger = createLogger('info')
  customLogger.info = (message) => void infos.push(message)
  customLogger.warn = (message) => void warnings.push(message)
  customLogger.error = (message) => void warnings.push(message)
  server = await createServer({
    root,
    configFile: false,
    customLogger,
    plugins: [uilm({ root, from: 'locales' })],
    server: { host: '127.0.0.1', port: 0 },
  })
  await server.listen()
})
afterAll(async () => {
  await server?.close()
  await removeFolders()
})

const types = (module: string): Promise<string> =>
  readFile(join(root, `.servicekit/types/uilm/${module}.d.ts`), 'utf8').catch(() => '')

describe.skipIf(isBrowserMissing())('a page whose texts are files of the application', () => {
  let browser: Browser
  let page: Page
  /** Updates that the page received. */
  let frames: string[] = []
  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.newPage({ locale: 'en-US' })
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => void frames.push(String(payload))),
    )
    await page.goto(server.resolvedUrls!.local[0]!)
    await shows('Shop')
    await page.evaluate('window.mark = {}')
  })
  afterAll(() => browser?.close())

  const shows = (text: string) => page.locator('#title').getByText(text, { exact: true }).waitFor()
  const isSamePage = () => page.evaluate('window.mark !== undefined')

  it('names no service, and makes no copy', async () => {
    expect([...infos, ...warnings].join('\n')).not.toMatch(/service|Following|pull/i)
    await expect(readFile(join(root, 'uilm.lock.json'))).rejects.toThrow('ENOENT')
  })

  it('shows a text that is saved', async () => {
    await write('en/shop.json', { TITLE: 'Store' })
    await shows('Store')
    expect(await isSamePage()).toBe(true)
  })

  it('shows a text that an editor saves by a rename', async () => {
    await write('en/shop.json~', { TITLE: 'Renamed' })
    await rename(at('en/shop.json~'), at('en/shop.json'))
    await shows('Renamed')
    expect(await isSamePage()).toBe(true)
  })

  it('types a new key, a new file and a new language', async () => {
    await write('en/shop.json', { TITLE: 'Renamed', NEW: 'New {{name}}' })
    await expect.poll(() => types('shop')).toContain('NEW')
    await write('en/fresh/file.json', { HELLO: 'Hello' })
    await expect.poll(() => types('fresh/file')).toContain('HELLO')
    await write('fr/shop.json', { TITLE: 'Magasin' })
    await expect
      .poll(() => readFile(join(root, '.servicekit/types/uilm.d.ts'), 'utf8'))
      .toMatch(/['"]fr['"]/)
    await rm(at('fr'), { recursive: true })
    await rm(at('en/fresh'), { recursive: true })
    await expect.poll(() => types('fresh/file')).toBe('')
    await shows('Renamed')
    await page.evaluate('window.mark = {}')
  })

  it('names file, line and column of a mistake, and keeps the last texts', async () => {
    await write('en/shop.json', '{\n  "TITLE": "Broken",\n  "NEW" "x"\n}\n')
    await expect.poll(() => warnings.join('\n')).toContain(`${at('en/shop.json')}:3:9: `)
    await expect
      .poll(() =>
        page.locator('vite-error-overlay').getByText('a colon is missing').first().isVisible(),
      )
      .toBe(true)
    expect(await page.locator('#title').textContent()).toBe('Renamed')
    // Other files are still read.
    await write('en/part0.json', { TEXT: 'while broken' })
    await expect.poll(() => page.locator('#all').textContent()).toContain('while broken')
    await write('en/shop.json', { TITLE: 'Fixed' })
    await shows('Fixed')
    await page.locator('vite-error-overlay').waitFor({ state: 'detached' })
  })

  it('follows a checkout of 50 files without an update for each', async () => {
    git('checkout', '-qf', '.')
    await shows('Shop')
    git('checkout', '-qb', 'other')
    for (const name of modules) await write(`en/${name}.json`, { TEXT: 'new' })
    const all = (text: string) => modules.map(() => text).join(' ')
    await expect.poll(() => page.locator('#all').textContent()).toBe(all('new'))
    git('commit', '-qam', 'new')
    frames = []
    git('checkout', '-q', '-')
    await expect.poll(() => page.locator('#all').textContent()).toBe(all('old'))
    // A busy machine writes the files in several bursts.
    const updates = frames.filter((frame) => frame.includes('uilm'))
    expect(updates.length).toBeLessThan(modules.length / 2)
  })
})
