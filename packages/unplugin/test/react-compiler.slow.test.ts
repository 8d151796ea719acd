import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformAsync } from '@babel/core'
import babel from '@rolldown/plugin-babel'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import { isDeep } from '@servicekit/testing/is-deep'
import react, { reactCompilerPreset } from '@vitejs/plugin-react'
import { transform } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { build, createServer, type InlineConfig } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { bundlers } from './bundlers.ts'
import { writeApp, writeSnapshot } from './project.ts'
import { reactCompilerApp } from './react-compiler-app.ts'
import { serveFolder } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** Returns the folder of a package of another major; it has a lockfile of its own. */
const peer = (name: string): string =>
  fileURLToPath(new URL(`../../testing/projects/peers/node_modules/${name}`, import.meta.url))

/** Webpack, which takes long, is like Rspack. */

const texts = {
  HEADING: 'Cart',
  GREETING: 'Hello {{name}}',
  ITEMS: '{{count}} items',
  FOOTER: 'End',
  SWITCH: 'Language',
}

/** Writes translations that start with a mark for their language. */
const translate = (root: string, english: string, german: string): Promise<void> => {
  const marked = (mark: string) =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, `[${mark}]${text}`]))
  return writeSnapshot(root, { 'en-US/shop': marked(english), 'de-DE/shop': marked(german) })
}

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

/** Writes an application to a folder in which its packages are found. */
async function createApp(
  name: string,
  files: Readonly<Record<string, string>> = reactCompilerApp,
): Promise<string> {
  const root = fileURLToPath(new URL(`../.servicekit/react-compiler-${name}`, import.meta.url))
  folders.push(root)
  await rm(root, { recursive: true, force: true })
  await writeApp(root, files)
  await translate(root, 'en', 'de')
  return root
}

const configOf = (root: string, isCompiled = true): InlineConfig => ({
  root,
  configFile: false,
  logLevel: 'error',
  plugins: [
    react(),
    ...(isCompiled ? [babel({ presets: [reactCompilerPreset()] })] : []),
    uilm({ root }),
  ],
  server: { host: '127.0.0.1', port: 0 },
})

/** Returns the places that do not show a text with the mark, or that show one with another. */
const wrongPlaces = (page: Page, mark: string): Promise<readonly string[]> =>
  page.$$eval(
    '[data-place]',
    (elements, mark) =>
      elements
        .map((element) => ({
          place: element.getAttribute('data-place')!,
          shown: `${element.getAttribute('title') ?? ''}${element.textContent}`,
        }))
        .filter(({ shown }) => {
          const marks = shown.match(/\[\w+\]/g) ?? []
          return marks.length === 0 || marks.some((one) => one !== `[${mark}]`)
        })
        .map(({ place, shown }) => `${place}: ${shown}`),
    mark,
  )

describe.skipIf(isBrowserMissing())('with React Compiler', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(() => browser?.close())

  async function open(url: string) {
    const page = await browser.newPage({ locale: 'en-US' })
    const problems: string[] = []
    page.on('pageerror', (error) => void problems.push(String(error)))
    page.on('console', (message) => {
      if (/error|warning/.test(message.type())) problems.push(message.text())
    })
    await page.goto(url)
    await page.locator('[data-place]').first().waitFor()
    return { page, problems }
  }

  const selectGerman = async (page: Page) => {
    await page.selectOption('select', 'de-DE')
    await page.locator('html[lang="de-DE"]').waitFor()
  }

  /** Opens the application, changes its state, and switches its language. */
  async function openInGerman(url: string) {
    const opened = await open(url)
    const { page } = opened
    await page.locator('[data-place="lazy component"]').waitFor()
    expect(await page.locator('[data-place]').count()).toBe(18)
    expect(await wrongPlaces(page, 'en')).toEqual([])
    await page.fill('input', 'typed')
    await page.click('#count')
    await selectGerman(page)
    return opened
  }

  const stateOf = async (page: Page) => ({
    input: await page.inputValue('input'),
    items: await page.textContent('[data-place="component with state"]'),
  })

  it('shows every message of a built page in the selected language', async () => {
    const root = await createApp('build')
    await build(configOf(root))
    const site = await serveFolder(join(root, 'dist'))
    const { page, problems } = await openInGerman(site.url)
    expect(await wrongPlaces(page, 'de')).toEqual([])
    expect(await stateOf(page)).toEqual({ input: 'typed', items: '[de]4 items' })
    expect(problems).toEqual([])
    await page.context().close()
    await site.close()
  })

  it('shows every message with React 18', async () => {
    const root = await createApp('react-18', {
      ...reactCompilerApp,
      // React 18 has no `use`, and its contexts are no components.
      'src/app.tsx': reactCompilerApp['src/app.tsx']!.replace(
        'Suspense, use,',
        'Suspense, useContext,',
      )
        .replace('use(Label)', 'useContext(Label)')
        .replaceAll(/(<\/?)Label\b/g, '$1Label.Provider'),
    })
    const config = configOf(root)
    await build({
      ...config,
      resolve: { alias: { react: peer('react-18'), 'react-dom': peer('react-dom-18') } },
      plugins: [
        react(),
        babel({ presets: [reactCompilerPreset({ target: '18' })] }),
        uilm({ root }),
      ],
    })
    const site = await serveFolder(join(root, 'dist'))
    const { page, problems } = await openInGerman(site.url)
    expect(await wrongPlaces(page, 'de')).toEqual([])
    expect(problems).toEqual([])
    await page.context().close()
    await site.close()
  })

  it('shows every message in development in the selected language, and edited translations', async () => {
    const root = await createApp('dev')
    const server = await (await createServer(configOf(root))).listen()
    const { page, problems } = await openInGerman(server.resolvedUrls!.local[0]!)
    expect(await wrongPlaces(page, 'de')).toEqual([])
    await translate(root, 'en', 'edited')
    await page.locator('[data-place="language switch"]', { hasText: '[edited]' }).waitFor()
    expect(await wrongPlaces(page, 'edited')).toEqual([])
    expect(await stateOf(page)).toEqual({ input: 'typed', items: '[edited]4 items' })

    // The compiler then skips a component that it compiled before, and compiles it again.
    const file = join(root, 'src/app.tsx')
    const source = await readFile(file, 'utf8')
    const skipped = source.replace('<Plain />', '<p id="edited" /><Plain />')
    await writeFile(file, skipped.replace('function Parts() {', `$& 'use no memo'`))
    await page.locator('#edited').waitFor({ state: 'attached' })
    expect(await stateOf(page)).toEqual({ input: 'typed', items: '[edited]4 items' })
    await writeFile(file, source)
    await page.locator('#edited').waitFor({ state: 'detached' })
    expect(await stateOf(page)).toEqual({ input: 'typed', items: '[edited]4 items' })
    expect(problems).toEqual([])
    await page.context().close()
    await server.close()
  })

  it('names the missing provider, and shows what is rendered again', async () => {
    const root = await createApp('no-provider', {
      ...reactCompilerApp,
      'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { Switch } from './switch'

createRoot(document.getElementById('root')!).render(<Switch />)
`,
    })
    await build(configOf(root))
    const site = await serveFolder(join(root, 'dist'))
    const { page, problems } = await open(site.url)
    expect(problems).toEqual([])
    await selectGerman(page)
    expect(await wrongPlaces(page, 'de')).toEqual([])
    expect(problems).toEqual([
      expect.stringMatching(/^\[uilm\] .* Render the application in <LanguageProvider> of ~uilm/),
    ])
    await page.context().close()
    await site.close()
  })

  it.each(
    isDeep
      ? (['webpack', 'rspack', 'esbuild', 'rolldown'] as const)
      : (['rspack', 'esbuild'] as const),
  )('shows every message of a page that %s built', async (bundler) => {
    const main = `import { memo } from 'react'
import { createRoot } from 'react-dom/client'
import { getLanguage, setLanguage } from '~uilm'
import { LanguageProvider } from '~uilm/react'
import { GREETING, HEADING } from '~uilm/shop'

const Heading = memo(function Heading() {
  return <p data-place="heading">{HEADING()}</p>
})
function App() {
  const change = (event) => setLanguage(event.target.value)
  return (
    <>
      <select defaultValue={getLanguage()} onChange={change}>
        <option>en-US</option>
        <option>de-DE</option>
      </select>
      <p data-place="greeting">{GREETING({ name: 'Ada' })}</p>
      <Heading />
    </>
  )
}
createRoot(document.getElementById('root')).render(<LanguageProvider><App /></LanguageProvider>)
`
    const compiled = await transformAsync(main, {
      plugins: ['babel-plugin-react-compiler'],
      parserOpts: { plugins: ['jsx'] },
      configFile: false,
      filename: 'main.js',
    })
    const { code } = await transform(compiled!.code!, { loader: 'jsx', jsx: 'automatic' })
    expect(code).toContain('react/compiler-runtime')
    const root = await createApp(bundler, {
      'package.json': '{"type": "module"}',
      'src/main.js': code,
    })
    await bundlers[bundler](root, {})
    await writeApp(root, {
      'dist/index.html': `<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script>process = { env: {} }</script><script type="module" src="./main.js"></script>`,
    })
    const site = await serveFolder(join(root, 'dist'))
    const { page, problems } = await open(site.url)
    expect(await wrongPlaces(page, 'en')).toEqual([])
    await selectGerman(page)
    expect(await wrongPlaces(page, 'de')).toEqual([])
    expect(problems).toEqual([])
    await page.context().close()
    await site.close()
  })
})

it('adds nothing to a build without React Compiler, and nothing to one for one language', async () => {
  const files = {
    ...reactCompilerApp,
    'src/main.tsx': `import { createRoot } from 'react-dom/client'
import { Switch } from './switch'

createRoot(document.getElementById('root')!).render(<Switch />)
`,
  }
  const root = await createApp('bytes', files)
  const codeOf = async (config: InlineConfig): Promise<string> => {
    await build(config)
    const folder = join(root, 'dist/assets')
    const names = (await readdir(folder)).filter((name) => name.startsWith('index-'))
    return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('')
  }
  // In the code of React once.
  const sentinels = (code: string) => code.split('react.memo_cache_sentinel').length - 1
  const plain = await codeOf(configOf(root, false))
  expect([sentinels(plain), plain.includes('LanguageProvider')]).toEqual([1, false])
  const compiled = await codeOf(configOf(root))
  expect(compiled).toContain('LanguageProvider')
  const plugins = [react(), babel({ presets: [reactCompilerPreset()] })]
  const inline = await codeOf({
    ...configOf(root),
    plugins: [...plugins, uilm({ root, inline: 'de-DE' })],
  })
  expect(inline).not.toContain('LanguageProvider')
})
