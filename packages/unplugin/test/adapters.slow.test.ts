import { cp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { emitProgram, openProject, writeFiles } from '@servicekit/catalog'
import { isBrowserMissing, launchBrowser } from '@servicekit/testing/browser'
import type { Browser, Page } from 'playwright-core'
import { build, type PluginOption } from 'vite'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { uilm } from '../src/vite.ts'
import { checkTypes } from './check-types.ts'
import { writeApp } from './project.ts'
import { serveFolder, startStorefront, type Storefront, textOf } from './storefront.ts'

// Runs bundlers and a browser on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const apps = fileURLToPath(new URL('../../../fixtures/apps', import.meta.url))

const frameworks = {
  vue: { plugin: '@vitejs/plugin-vue', name: 'default' },
  svelte: { plugin: '@sveltejs/vite-plugin-svelte', name: 'svelte' },
  solid: { plugin: 'vite-plugin-solid', name: 'default' },
} as const

/** Expected diagnostics of the declarations, in addition to those of the application. */
const typeTests = {
  vue: `import type { Ref } from 'vue'
import { useLanguage } from '~uilm/vue'
export const language: Ref<Language> = useLanguage()
// @ts-expect-error -- no language of the project
language.value = 'xx'
`,
  svelte: `import { language } from '~uilm/svelte'
language.current = 'de-DE'
// @ts-expect-error -- no language of the project
language.current = 'xx'
`,
  solid: `import { useLanguage } from '~uilm/solid'
const [language, setLanguage] = useLanguage()
export const shown: Language = language()
// @ts-expect-error -- no language of the project
void setLanguage('xx')
`,
}
const keyTests = `import type { Language } from '~uilm'
import { FOOTER_NOTE } from '~uilm/common'
import { createLocalizer, matchLanguage } from '~uilm/server'
// @ts-expect-error -- no key of the module
import { FOOTER_NOTES } from '~uilm/common'
// @ts-expect-error -- the year is missing
FOOTER_NOTE()
// @ts-expect-error -- not called so
FOOTER_NOTE({ years: 2026 })
export const note = async (): Promise<string> =>
  (await createLocalizer(matchLanguage('de'))).translate(FOOTER_NOTE, { year: 2026 })
void FOOTER_NOTES
`

/** Loads a plugin as resolved from the application. */
async function pluginOf(app: string, { plugin, name }: { plugin: string; name: string }) {
  const file = createRequire(join(app, 'package.json')).resolve(plugin)
  const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<
    string,
    (options?: object) => PluginOption
  >
  return module[name]!({})
}

/** Builds an application with compiled messages instead of the plugin. */
async function bundleCompiled(
  root: string,
  plugin: PluginOption,
  { baseUrl, projectKey }: Storefront,
): Promise<void> {
  const project = openProject({ root, baseUrl, projectKey })
  const outDir = join(root, 'messages')
  await writeFiles(emitProgram(await project.load(), { outDir, storageKey: 'uilm-language' }))
  const alias = [
    { find: /^~uilm$/, replacement: join(outDir, 'runtime.js') },
    { find: /^~uilm\/(.*)$/, replacement: join(outDir, '$1.js') },
  ]
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    resolve: { alias },
    build: { target: 'esnext', outDir: 'dist-compiled' },
  })
}

const items = (language: string, count: number): string =>
  textOf(language, 'cart', `CART_ITEMS_${new Intl.PluralRules(language).select(count)}`).replace(
    '{{count}}',
    String(count),
  )

async function openInGerman(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByText(textOf('de-DE', 'common', 'APP_TITLE')).waitFor()
  expect(await page.textContent('.items')).toBe(items('de-DE', 3))
  await page.fill('input', '7')
  await page.getByText(items('de-DE', 7)).waitFor()
  await page.click('button')
  await page.getByText(textOf('de-DE', 'catalog', 'ABOUT_HEADING')).waitFor()
}

async function switchToJapanese(page: Page): Promise<void> {
  await page.selectOption('select', 'ja-JP')
  await page.getByText(textOf('ja-JP', 'common', 'APP_TITLE')).waitFor()
  // Components that do not handle languages, one of them loaded later.
  expect(await page.textContent('.items')).toBe(items('ja-JP', 3))
  expect(await page.textContent('h2')).toBe(textOf('ja-JP', 'catalog', 'ABOUT_HEADING'))
  expect(await page.textContent('output')).toBe(items('ja-JP', 7))
  expect(await page.inputValue('input')).toBe('7')
  expect(await page.inputValue('select')).toBe('ja-JP')
}

describe.skipIf(isBrowserMissing())('the sample application', () => {
  let platform: Storefront
  let browser: Browser
  const copies: string[] = []
  beforeAll(async () => {
    platform = await startStorefront()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.close()
    await Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true })))
  })

  it.each(['vue', 'svelte', 'solid'] as const)(
    'for %s updates every component with the language, and keeps the input',
    async (framework) => {
      const app = join(apps, `vite-${framework}`)
      // Inside the application, so that its packages are resolved.
      const root = join(app, '.servicekit/test')
      copies.push(root)
      await rm(root, { recursive: true, force: true })
      await cp(join(app, 'src'), join(root, 'src'), { recursive: true })
      await cp(join(app, 'index.html'), join(root, 'index.html'))
      const { baseUrl, projectKey } = platform
      const plugin = await pluginOf(app, frameworks[framework])
      const bundle = (outDir: string, inline?: string) =>
        build({
          root,
          configFile: false,
          logLevel: 'silent',
          plugins: [
            plugin,
            uilm({ root, baseUrl, projectKey, ...(inline === undefined ? {} : { inline }) }),
          ],
          build: { target: 'esnext', outDir },
        })
      await bundle('dist')
      await bundle('dist/inline', 'fr-FR')
      // The compiler cannot read .vue and .svelte files.
      const include =
        framework === 'solid'
          ? ['src', '.servicekit/types']
          : ['src/types.ts', 'src/servicekit-env.d.ts']
      const tsconfig = await readFile(join(app, 'tsconfig.json'), 'utf8')
      await writeApp(root, {
        'tsconfig.json': JSON.stringify({ ...(JSON.parse(tsconfig) as object), include }),
        'src/types.ts': keyTests + typeTests[framework],
      })
      await checkTypes(root)

      const site = await serveFolder(join(root, 'dist'))
      const page = await browser.newPage({ locale: 'de-DE' })
      const pageErrors: string[] = []
      page.on('pageerror', (error) => void pageErrors.push(String(error)))
      const packs: string[] = []
      page.on('request', (request) => {
        const [, language] = /uilm-[\da-f]{8}\.(.*)\.js/.exec(request.url()) ?? []
        if (language) packs.push(language)
      })
      await openInGerman(page, site.url)
      expect(new Set(packs)).toEqual(new Set(['de-DE']))
      await switchToJapanese(page)
      expect(pageErrors).toEqual([])

      packs.length = 0
      const html = await readFile(join(root, 'dist/inline/index.html'), 'utf8')
      await writeApp(root, { 'dist/inline/index.html': html.replaceAll('"/assets', '"./assets') })
      await page.goto(`${site.url}inline/`)
      await page.getByText(textOf('fr-FR', 'common', 'APP_TITLE')).waitFor()
      expect(await page.textContent('.items')).toBe(items('fr-FR', 3))
      expect(packs).toEqual([])

      await bundleCompiled(root, plugin, platform)
      const compiled = await serveFolder(join(root, 'dist-compiled'))
      await openInGerman(page, compiled.url)
      await switchToJapanese(page)
      expect(pageErrors).toEqual([])
      await page.context().close()
      await site.close()
      await compiled.close()
    },
  )
})
