import { once } from 'node:events'
import { watch as watchFolder } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import type { Browser } from 'playwright-core'
import { createLogger, createServer } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import webpack from 'webpack'
import { uilm as forRspack } from '../src/rspack.ts'
import { uilm as forVite } from '../src/vite.ts'
import { uilm as forWebpack } from '../src/webpack.ts'
import { type Files, removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { serveFolder, startStorefront, type Storefront, textOf } from './storefront.ts'
import { watchers } from './watchers.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Platform of all tests; each edits one translation, which is restored afterwards. */
let platform: Storefront
beforeAll(async () => {
  platform = await startStorefront()
})
const restoreTitle = () =>
  platform.edit('de-DE', 'common', 'APP_TITLE', textOf('de-DE', 'common', 'APP_TITLE'))
afterAll(async () => {
  await platform?.close()
  await removeFolders()
})

const textsWith = (text: string): Files => ({
  'en-US/shop': { BUY: 'Buy now', SELL: 'Sell' },
  'de-DE/shop': { BUY: text, SELL: 'Verkaufen' },
})

/** Waits until a built file contains a text, and returns its name. */
async function fileWith(folder: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const changes = watchFolder(folder, { recursive: true })
  try {
    for (;;) {
      const changed = new Promise((done) => changes.once('change', () => done(undefined)))
      for (const name of await readdir(folder, { recursive: true })) {
        const content = await readFile(join(folder, name), 'utf8').catch(() => '')
        if (content.includes(text)) return name
      }
      await changed
    }
  } finally {
    changes.close()
  }
}

describe.each(Object.entries(watchers))('%s in watch', (_name, watch) => {
  it('builds again when a translation or a source file changes', async () => {
    const root = await temporaryFolder()
    await writeApp(root, {
      'package.json': '{"type": "module"}',
      'src/main.js': `import { BUY } from '~uilm/shop'\nglobalThis.shown = () => BUY()\n`,
    })
    await writeSnapshot(root, textsWith('Kaufen'))
    const stop = await watch(root, {})
    try {
      const first = await fileWith(join(root, 'dist'), 'Kaufen')
      await writeSnapshot(root, textsWith('Jetzt kaufen'))
      const second = await fileWith(join(root, 'dist'), 'Jetzt kaufen')
      expect(second).not.toBe(first)
      const [, hash] = /uilm-([\da-f]{8})/.exec(second)!
      // The bundle itself may be written later.
      const bundle = () => readFile(join(root, 'dist/main.js'), 'utf8')
      await expect.poll(bundle, { timeout: 20_000 }).toContain(hash)

      await writeApp(root, {
        'src/main.js': `import { BUY, SELL } from '~uilm/shop'\nglobalThis.shown = () => BUY() + SELL()\n`,
      })
      expect(await fileWith(join(root, 'dist'), 'Verkaufen')).toContain('de-DE')
    } finally {
      await stop()
    }
  })
})

describe.each(Object.entries(watchers))(
  '%s in watch, of files of the application',
  (_name, watch) => {
    it('builds again when a file is saved or added, and keeps the texts of one with a mistake', async () => {
      const root = await temporaryFolder()
      await writeApp(root, {
        'package.json': '{"type": "module"}',
        'src/main.js': `import { BUY } from '~uilm/shop'\nglobalThis.shown = () => BUY()\n`,
        'locales/en-US/shop.json': '{"BUY": "Buy now"}',
        'locales/de-DE/shop.json': '{"BUY": "Kaufen"}',
      })
      const lines: string[] = []
      for (const level of ['log', 'warn'] as const) {
        vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line))
      }
      const stop = await watch(root, { from: 'locales' })
      try {
        await fileWith(join(root, 'dist'), 'Kaufen')
        await writeApp(root, { 'locales/de-DE/shop.json': '{"BUY": "Jetzt kaufen"}' })
        await fileWith(join(root, 'dist'), 'Jetzt kaufen')
        await writeApp(root, {
          'locales/de-DE/shop.json': '{"BUY": "Kaputt",}',
          'locales/en-US/more/form.json': '{"SEND": "Send"}',
          'locales/de-DE/more/form.json': '{"SEND": "Senden"}',
        })
        const types = () =>
          readFile(join(root, '.servicekit/types/uilm/more/form.d.ts'), 'utf8').catch(() => '')
        await expect.poll(types, { timeout: 20_000 }).toContain('SEND')
        await writeApp(root, {
          'src/main.js': `import { BUY } from '~uilm/shop'\nimport { SEND } from '~uilm/more/form'\nglobalThis.shown = () => BUY() + SEND()\n`,
        })
        await fileWith(join(root, 'dist'), 'Senden')
        expect(await fileWith(join(root, 'dist'), 'Jetzt kaufen')).toContain('de-DE')
        expect(await readdir(root)).not.toContain('uilm.lock.json')
        expect(lines.join('\n')).not.toMatch(/Following|\bservice\b|pull/)
      } finally {
        await stop()
      }
    })
  },
)

describe.each(Object.entries(watchers))('%s in watch, for one language', (_name, watch) => {
  it('builds again when a translation changes', async () => {
    const root = await temporaryFolder()
    await writeApp(root, {
      'package.json': '{"type": "module"}',
      'src/main.js': `import { BUY } from '~uilm/shop'\nglobalThis.shown = () => BUY()\n`,
    })
    await writeSnapshot(root, textsWith('Kaufen'))
    const stop = await watch(root, { inline: 'de-DE' })
    try {
      expect(await fileWith(join(root, 'dist'), 'Kaufen')).toBe('main.js')
      await writeSnapshot(root, textsWith('Jetzt kaufen'))
      expect(await fileWith(join(root, 'dist'), 'Jetzt kaufen')).toBe('main.js')
    } finally {
      await stop()
    }
  })
})

describe('a watcher', () => {
  it.each(['vite', 'rollup', 'rolldown', 'esbuild'])(
    '%s builds again when a translation changes on the platform',
    async (name) => {
      const root = await temporaryFolder()
      await writeApp(root, {
        'package.json': '{"type": "module"}',
        'src/main.js': `import { APP_TITLE } from '~uilm/common'\nglobalThis.shown = () => APP_TITLE()\n`,
      })
      vi.spyOn(console, 'log').mockReturnValue()
      vi.spyOn(console, 'warn').mockReturnValue()
      const { baseUrl, projectKey } = platform
      const stop = await watchers[name]!(root, { baseUrl, projectKey, pollMs: 0 })
      try {
        await fileWith(join(root, 'dist'), 'handgemachte')
        await platform.edit('de-DE', 'common', 'APP_TITLE', 'Ganz neu')
        expect(await fileWith(join(root, 'dist'), 'Ganz neu')).toContain('de-DE')
      } finally {
        await stop()
        await restoreTitle()
      }
    },
  )
})

describe('a changed config file', () => {
  it.each([
    ['rollup', 'options.ts'],
    ['rolldown', 'options.ts'],
    ['esbuild', 'servicekit.config.ts'],
  ])('is reported by %s with the option that changed, in %s', async (name, file) => {
    const root = await temporaryFolder()
    const main = `import { BUY } from '~uilm/shop'\nglobalThis.shown = () => BUY()\n`
    await writeApp(root, {
      'package.json': '{"type": "module"}',
      'servicekit.config.ts': `export { default } from './options.ts'`,
      'options.ts': `export default { localization: { storageKey: 'a' } }`,
      'src/main.js': main,
    })
    await writeSnapshot(root, textsWith('Kaufen'))
    const warned: string[] = []
    vi.spyOn(console, 'warn').mockImplementation((line: string) => void warned.push(line))
    const stop = await watchers[name]!(root, {})
    try {
      await fileWith(join(root, 'dist'), 'Kaufen')
      await writeApp(root, { [file]: `export default {}` })
      await expect
        .poll(() => warned.join('\n'), { timeout: 20_000 })
        .toContain(
          'servicekit.config.ts changed: localization.storageKey. Restart the build to apply it.',
        )
    } finally {
      await stop()
    }
  })

  it('restarts the development server of vite, also if the config imports it', async () => {
    const repository = await temporaryFolder()
    const root = join(repository, 'app')
    await writeApp(repository, {
      'servicekit.config.ts': `import { languages } from './languages.ts'\nexport default { localization: { languages, from: 'texts' } }`,
      'languages.ts': `export const languages = ['en-US']`,
      'texts/en-US/shop.json': '{"BUY": "Buy"}',
      'texts/de-DE/shop.json': '{"BUY": "Kaufen"}',
      'app/main.js': `export { languages } from '~uilm'`,
    })
    const lines: string[] = []
    const customLogger = createLogger('info')
    customLogger.info = (line) => void lines.push(line)
    const server = await createServer({
      root,
      configFile: false,
      customLogger,
      plugins: [forVite()],
      server: { middlewareMode: true, ws: false },
    })
    try {
      const languages = async () =>
        ((await server.ssrLoadModule('/main.js')) as { languages: string[] }).languages
      expect(await languages()).toEqual(['en-US'])
      await writeApp(repository, { 'languages.ts': `export const languages = ['en-US', 'de-DE']` })
      await expect.poll(() => lines.join('\n'), { timeout: 20_000 }).toContain('server restarted')
      expect(await languages()).toEqual(['en-US', 'de-DE'])
      expect(lines.join('\n')).toContain(
        'servicekit.config.ts changed: localization.languages. Restarting the server.',
      )
    } finally {
      await server.close()
    }
  })
})

describe('the development server of vite', () => {
  it('listens to the platform once after a restart, and no more once it is closed', async () => {
    const root = await temporaryFolder()
    await writeApp(root, { 'main.js': `export { BUY } from '~uilm/shop'` })
    await writeSnapshot(root, textsWith('Kaufen'))
    const listening = new Set<ServerResponse>()
    const service = createHttpServer((request, response) => {
      if (!request.url!.endsWith('/events')) return response.writeHead(404).end()
      listening.add(response.once('close', () => listening.delete(response)))
      return response.writeHead(200).write(':\n')
    })
    await once(service.listen(0, '127.0.0.1'), 'listening')
    const { port } = service.address() as AddressInfo
    const baseUrl = `http://127.0.0.1:${port}`
    const server = await createServer({
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [forVite({ root, baseUrl, projectKey: 'P1', pollMs: 0 })],
      server: { middlewareMode: true, ws: false },
    })
    const patience = { timeout: 20_000 }
    try {
      await expect.poll(() => listening.size, patience).toBe(1)
      const [first] = listening
      await server.restart()
      await expect.poll(() => listening.has(first!), patience).toBe(false)
      await expect.poll(() => listening.size, patience).toBe(1)
    } finally {
      await server.close()
    }
    await expect.poll(() => listening.size, patience).toBe(0)
    service.close()
  })
})

describe.skipIf(isBrowserMissing())('hot update', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  it.each([
    ['webpack', 'on the platform'],
    ['rspack', 'on the platform'],
    ['webpack', 'in a file of the application'],
    ['rspack', 'in a file of the application'],
  ] as const)('of %s shows a translation that changes %s without a reload', async (name, place) => {
    const root = await temporaryFolder()
    await writeApp(root, {
      'package.json': '{"type": "module"}',
      'dist/index.html':
        '<!doctype html><link rel="icon" href="data:,"><h1></h1><input><script src="main.js"></script>',
      'src/main.js': `import { subscribe, setLanguage } from '~uilm'
import { APP_TITLE } from '~uilm/common'
const show = () => { document.querySelector('h1').textContent = APP_TITLE() }
subscribe(show)
show()
globalThis.setLanguage = setLanguage
globalThis.update = () => import.meta.webpackHot.check(true)
`,
    })
    const { baseUrl, projectKey } = platform
    const isPlatform = place === 'on the platform'
    const edit = (text: string, language = 'de-DE') =>
      isPlatform
        ? platform.edit(language, 'common', 'APP_TITLE', text)
        : writeApp(root, {
            [`locales/${language}/common.json`]: JSON.stringify({ APP_TITLE: text }),
          })
    if (!isPlatform) {
      for (const language of ['en-US', 'de-DE', 'fr-FR']) {
        await edit(textOf(language, 'common', 'APP_TITLE'), language)
      }
    }
    const options = {
      root,
      ...(isPlatform ? { baseUrl, projectKey, pollMs: 0 } : { from: 'locales' }),
    }
    const shared = {
      mode: 'development' as const,
      devtool: false as const,
      infrastructureLogging: { level: 'error' as const },
      context: root,
      entry: './src/main.js',
      output: { path: join(root, 'dist'), filename: 'main.js' },
    }
    const compiler =
      name === 'webpack'
        ? webpack({
            ...shared,
            plugins: [forWebpack(options), new webpack.HotModuleReplacementPlugin()],
          })!
        : (rspack({
            ...shared,
            plugins: [forRspack(options), new rspack.HotModuleReplacementPlugin()],
          }) as unknown as webpack.Compiler)
    let watching: webpack.Watching
    const first = new Promise<webpack.Stats>((done) => {
      watching = compiler.watch({ aggregateTimeout: 20 }, (_error, stats) => done(stats!))!
    })
    const site = await serveFolder(join(root, 'dist'))
    try {
      expect((await first).toJson({ all: false, errors: true }).errors).toEqual([])
      const page = await browser.newPage({ locale: 'de-DE' })
      await page.goto(site.url)
      const title = page.locator('h1')
      await title.getByText('handgemachte').waitFor()
      await page.fill('input', 'half a na')
      for (const text of ['Ganz neu', 'Noch neuer']) {
        await edit(text)
        // One edit may cause several builds, so the page is updated until the text
        // appears.
        const updated = async () => {
          await page.evaluate('update()')
          return title.textContent()
        }
        await expect.poll(updated, { timeout: 30_000 }).toBe(text)
      }
      expect(await page.inputValue('input')).toBe('half a na')
      await page.evaluate(`setLanguage('fr-FR').then(() => setLanguage('de-DE'))`)
      expect(await title.textContent()).toBe('Noch neuer')
    } finally {
      await new Promise((done) => watching.close(done))
      for (const context of browser.contexts()) await context.close()
      await site.close()
      if (isPlatform) await restoreTitle()
    }
  })
})
