import { join } from 'node:path'
import { rspack } from '@rspack/core'
import { keyRoutes, routeFiles } from '@servicekit/testing/key-routes'
import { takeWarnings } from '@servicekit/testing/warnings'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import type { Browser, Page } from 'playwright-core'
import { createLogger, createServer, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import webpack from 'webpack'
import { uilm as forRspack } from '../src/rspack.ts'
import { uilm as forVite } from '../src/vite.ts'
import { uilm as forWebpack } from '../src/webpack.ts'
import { bundlers } from './bundlers.ts'
import { removeFolders, temporaryFolder, writeApp, writeSnapshot } from './project.ts'
import { serveFolder } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

afterAll(removeFolders)

const texts = (keys: Record<string, string>) => ({ 'en-US/cart': keys })
const all = { CHECKOUT: 'Checkout', ITEMS: 'Your items' }
/** Ways to import a key module, with the expression of one of its messages. */
const importStyles = {
  named: {
    load: (name: string, module: string) =>
      `import { ITEMS, ${name} as button } from '~uilm/${module}'`,
    items: 'ITEMS',
    button: () => 'button',
  },
  namespace: {
    load: (_name: string, module: string) => `import * as cart from '~uilm/${module}'`,
    items: 'cart.ITEMS',
    button: (name: string) => `cart.${name}`,
  },
  dynamic: {
    load: (_name: string, module: string) => `const cart = await import('~uilm/${module}')`,
    items: 'cart.ITEMS',
    button: (name: string) => `cart.${name}`,
  },
  destructured: {
    load: (name: string, module: string) =>
      `const { ITEMS, ${name}: button } = await import('~uilm/${module}')`,
    items: 'ITEMS',
    button: () => 'button',
  },
}
type ImportStyle = keyof typeof importStyles
/** In ordinary runs the two that are furthest apart. */
const styles = (
  isDeep ? Object.keys(importStyles) : ['named', 'destructured']
) as readonly ImportStyle[]

/**
 * Returns an application that shows two messages, one of them by the given name.
 */
const application = (name: string, module = 'cart', style: ImportStyle = 'named') => {
  const { load, items, button } = importStyles[style]
  return {
    'package.json': '{"type": "module"}',
    'src/main.js': `import { subscribe } from '~uilm'
${load(name, module)}

const show = () => {
  document.querySelector('h1').textContent = ${items}()
  document.querySelector('button').textContent = ${button(name)}()
}
subscribe(show)
show()
`,
  }
}

/** Returns the position of a name in the main file of an application: `main.js:2:17`. */
const positionOf = (name: string, style: ImportStyle): string => {
  const before = application(name, 'cart', style)['src/main.js'].split(name)[0]!.split('\n')
  return `main.js:${before.length}:${before.at(-1)!.length + 1}`
}
const page = (script: string): string =>
  `<!doctype html><link rel="icon" href="data:,"><h1></h1><button></button><input>${script}`

const message = '~uilm/cart has no key CHEKOUT. Did you mean CHECKOUT?'

const lookup: unknown = expect.stringContaining('looks up messages by name')

/** Builds an application that names the key in one way; resolves with the error of the build. */
async function buildRoute(
  build: (typeof bundlers)['vite'],
  route: string,
  name: string,
): Promise<string> {
  const root = await temporaryFolder()
  await writeApp(root, { 'package.json': '{"type": "module"}', ...routeFiles(route, name) })
  await writeSnapshot(root, texts(all))
  return build(root, {}).then(
    () => 'built',
    (error: Error) => error.message,
  )
}

describe.each(Object.entries(bundlers))('a build of %s', (bundler, build) => {
  const isUnseen = ([, { unseen = [] }]: (typeof keyRoutes)[number]) =>
    unseen.some((name) => name === bundler)
  const namesOf = (routes: typeof keyRoutes) => routes.map(([route]) => route)

  it.each(namesOf(keyRoutes.filter(isUnseen)))(
    'does not see an unknown key in %s, which servicekit check reports',
    async (route) => {
      expect(await buildRoute(build, route, 'CHEKOUT')).toBe('built')
      takeWarnings()
    },
  )

  it.each(namesOf(keyRoutes.filter((route) => !isUnseen(route))))(
    'fails for an unknown key in %s',
    async (route) => {
      expect(await buildRoute(build, route, 'CHEKOUT')).toContain('CHEKOUT')
      expect(await buildRoute(build, route, 'CHECKOUT')).toBe('built')
      // An index loads the whole module.
      const isIndex = /\bindex\b/.test(route)
      for (const warning of takeWarnings()) expect([isIndex, warning]).toEqual([true, lookup])
    },
  )

  it('fails for an unknown key, with its line and a suggestion', async () => {
    const root = await temporaryFolder()
    await writeApp(root, application('CHEKOUT'))
    await writeSnapshot(root, texts(all))
    const failure = await build(root, {}).then(
      () => 'built',
      (error: Error) => error.message,
    )
    expect(failure).toContain(`main.js:2:17: ${message}`)
    expect(failure).toContain('import { ITEMS, CHEKOUT as button }')
    expect(failure).toContain('^^^^^^^')
  })
})

let browser: Browser
beforeAll(async () => {
  if (!isBrowserMissing()) browser = await launchBrowser()
})
afterAll(() => browser?.close())

describe.skipIf(isBrowserMissing())('an unknown key in development with vite', () => {
  let tab: Page
  let server: ViteDevServer
  let root: string
  let errors: string[]
  let pageErrors: string[]

  afterEach(async () => {
    await tab?.close()
    await server?.close()
  })
  beforeEach(async () => {
    root = await temporaryFolder()
    errors = []
    pageErrors = []
    await writeSnapshot(root, texts(all))
    await writeApp(root, {
      'index.html': page('<script type="module" src="/src/main.js"></script>'),
    })
  })

  const open = async (): Promise<void> => {
    const customLogger = createLogger('silent')
    customLogger.error = (line) => void errors.push(line)
    server = await createServer({
      root,
      configFile: false,
      customLogger,
      plugins: [forVite({ root })],
      server: { host: '127.0.0.1', port: 0 },
    })
    await server.listen()
    tab = await browser.newPage()
    tab.on('pageerror', (error) => void pageErrors.push(String(error)))
    await tab.goto(server.resolvedUrls!.local[0]!)
  }
  const shows = (selector: string, text: string) =>
    tab.locator(selector).getByText(text, { exact: true }).waitFor()
  const overlay = () => tab.locator('vite-error-overlay')

  describe.each(styles)('of a %s import', (style) => {
    it('is shown by its name, with one error in terminal and overlay, until the source is corrected', async () => {
      await writeApp(root, application('CHEKOUT', 'cart', style))
      await open()
      await shows('button', 'CHEKOUT')
      await shows('h1', 'Your items')
      await overlay().locator('.message-body').getByText(message).waitFor()
      expect(await overlay().locator('.frame').textContent()).toContain('^^^^^^^')
      expect(await overlay().locator('.file').textContent()).toContain(positionOf('CHEKOUT', style))
      expect(errors.length).toBe(1)
      const position = join(root, 'src', positionOf('CHEKOUT', style))
      expect(errors[0]).toContain(`[uilm] ${position}: ${message}\n\n`)
      expect(errors[0]).toMatch(/^> +\d+ \| .*CHEKOUT.*\n +\| +\^{7}$/m)

      await tab.reload()
      await shows('button', 'CHEKOUT')
      await overlay().waitFor({ state: 'attached' })
      expect(errors.length).toBe(1)

      await writeApp(root, application('CHECKOUT', 'cart', style))
      await shows('button', 'Checkout')
      await overlay().waitFor({ state: 'detached' })
      expect(pageErrors).toEqual([])
    })

    it.runIf(isDeep || style === 'destructured')(
      'shows the message after the key is added to the translations',
      async () => {
        await writeApp(root, application('CHEKOUT', 'cart', style))
        await open()
        await overlay().waitFor({ state: 'attached' })
        await writeSnapshot(root, texts({ ...all, CHEKOUT: 'Now it is there' }))
        await shows('button', 'Now it is there')
        await overlay().waitFor({ state: 'detached' })
        expect(pageErrors).toEqual([])
      },
    )

    it('that is deleted while the page is open is shown by its name, without a reload', async () => {
      await writeApp(root, application('CHECKOUT', 'cart', style))
      await open()
      await shows('button', 'Checkout')
      await tab.fill('input', 'half a na')
      await tab.evaluate('window.mark = true')
      const { CHECKOUT: _, ...rest } = all
      await writeSnapshot(root, texts({ ...rest, CHECKOUTS: 'Checkouts', ITEMS: 'Changed' }))
      await shows('button', 'CHECKOUT')
      await shows('h1', 'Changed')
      const gone = '~uilm/cart has no key CHECKOUT. Did you mean CHECKOUTS?'
      await overlay().locator('.message-body').getByText(gone).waitFor()
      expect(errors.join('\n')).toContain(`${positionOf('CHECKOUT', style)}: ${gone}`)
      expect(await tab.inputValue('input')).toBe('half a na')
      expect(await tab.evaluate('window.mark')).toBe(true)

      await tab.reload()
      await shows('button', 'CHECKOUT')
      await overlay().waitFor({ state: 'attached' })

      await writeSnapshot(root, texts(all))
      await shows('button', 'Checkout')
      expect(pageErrors).toEqual([])
    })

    it.runIf(isDeep || style === 'named')('of an unknown module is shown by its name', async () => {
      await writeApp(root, application('CHECKOUT', 'crat', style))
      await open()
      await shows('button', 'CHECKOUT')
      await shows('h1', 'ITEMS')
      await overlay().waitFor({ state: 'attached' })
      expect(errors.join('\n')).toContain(
        '~uilm/crat is not in the translations. ~uilm/cart has it.',
      )
      expect(pageErrors).toEqual([])
    })
  })

  it('is shown by its name in code that renders on the server', async () => {
    await writeApp(root, {
      ...application('CHECKOUT'),
      'src/named.js': `import { CHEKOUT, ITEMS } from '~uilm/cart'\nexport const html = () => CHEKOUT() + ITEMS()\n`,
      'src/namespace.js': `import * as cart from '~uilm/cart'\nexport const html = () => cart.CHEKOUT() + cart.ITEMS()\n`,
    })
    await open()
    for (const file of ['/src/named.js', '/src/namespace.js']) {
      const { html } = (await server.ssrLoadModule(file)) as { html: () => string }
      expect(html()).toBe('CHEKOUTYour items')
    }
    expect(errors.join('\n')).toContain(`named.js:1:10: ${message}`)
    expect(errors.join('\n')).toContain(`namespace.js:2:32: ${message}`)
  })
})

/** In ordinary runs one style with each of the bundlers. */
const classicStyles: Record<'webpack' | 'rspack', readonly ImportStyle[]> = isDeep
  ? { webpack: ['named', 'namespace', 'dynamic'], rspack: ['named', 'namespace', 'dynamic'] }
  : { webpack: ['named'], rspack: ['dynamic'] }

describe.skipIf(isBrowserMissing()).each(['webpack', 'rspack'] as const)(
  'an unknown key in development with %s',
  (name) => {
    it.each(classicStyles[name])(
      'of a %s import is an error of the compilation, and shown by its name in the page',
      async (style) => {
        const root = await temporaryFolder()
        await writeApp(root, {
          ...application('CHEKOUT', 'cart', style),
          'dist/index.html': page('<script src="main.js"></script>'),
        })
        await writeSnapshot(root, texts(all))
        const shared = {
          mode: 'development' as const,
          devtool: false as const,
          infrastructureLogging: { level: 'error' as const },
          context: root,
          entry: './src/main.js',
          output: { path: join(root, 'dist'), filename: 'main.js' },
        }
        const options = { root }
        const compiler =
          name === 'webpack'
            ? webpack({ ...shared, plugins: [forWebpack(options)] })!
            : (rspack({
                ...shared,
                plugins: [forRspack(options)],
              }) as unknown as webpack.Compiler)
        let built = ''
        const watching = compiler.watch({ aggregateTimeout: 20 }, (error, stats) => {
          // Read now: the statistics of rspack show the compilation that is running.
          const { errors = [] } = stats?.toJson({ all: false, errors: true }) ?? {}
          built = error?.message ?? errors.map(({ message }) => message).join('\n')
        })!
        const errorsNow = (): string => built
        const site = await serveFolder(join(root, 'dist'))
        const tab = await browser.newPage()
        try {
          await expect
            .poll(errorsNow, { timeout: 30_000 })
            .toContain(`${positionOf('CHEKOUT', style)}: ${message}`)
          expect(errorsNow()).toContain('^^^^^^^')
          const pageErrors: string[] = []
          tab.on('pageerror', (error) => void pageErrors.push(String(error)))
          await tab.goto(site.url)
          await tab.locator('button').getByText('CHEKOUT', { exact: true }).waitFor()
          await tab.locator('h1').getByText('Your items').waitFor()

          // After a key is deleted, the next build reports the same error and the page is
          // not blank.
          const { ITEMS: _, ...rest } = all
          await writeSnapshot(root, texts(rest))
          await expect.poll(errorsNow, { timeout: 30_000 }).toContain('has no key ITEMS.')
          await tab.reload()
          await tab.locator('h1').getByText('ITEMS', { exact: true }).waitFor()

          await writeApp(root, application('CHECKOUT', 'cart', style))
          await expect.poll(errorsNow, { timeout: 30_000 }).not.toContain('CHEKOUT')
          await writeSnapshot(root, texts(all))
          await expect.poll(errorsNow, { timeout: 30_000 }).toBe('')
          await tab.reload()
          await tab.locator('button').getByText('Checkout', { exact: true }).waitFor()
          expect(pageErrors).toEqual([])
        } finally {
          await new Promise((done) => watching.close(done))
          await tab.close()
          await site.close()
        }
      },
    )
  },
)
