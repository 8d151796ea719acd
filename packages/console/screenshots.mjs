/**
 * Writes screenshots of every page to `.servicekit/screenshots`: light, dark, right to left,
 * narrow, empty, with an error, and with 20,000 keys. Build the packages first.
 *
 *     npm run screenshots [-- NAME …]
 */
import { startPlatform } from '@servicekit/platform/node'
import { withConsole } from '@servicekit/platform/console'
import { launchBrowser } from '@servicekit/workspace/browser'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = import.meta.dirname
const target = join(root, '.servicekit/screenshots')
const wanted = process.argv.slice(2)
const temporary = mkdtempSync(join(tmpdir(), 'console-screenshots-'))
const codes = [
  'en-US',
  'de-DE',
  'fr-FR',
  'ar-EG',
  'ja-JP',
  'es-ES',
  'it-IT',
  'pt-PT',
  'nl-NL',
  'pl-PL',
]

/** Writes a project folder. @param {string} key @param {number} keys */
function writeProject(key, keys) {
  const folder = join(temporary, key)
  const write = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    writeFileSync(join(folder, name), JSON.stringify(value))
  mkdirSync(folder, { recursive: true })
  write('project.json', { projectKey: key, name: key, organizationId: key, fallback: 'en-US' })
  const languages = keys === 0 ? [] : codes
  const item = (/** @type {string} */ languageCode) => ({
    itemId: languageCode,
    languageCode,
    languageName: new Intl.DisplayNames('en', { type: 'language' }).of(languageCode),
    isDefault: languageCode === 'en-US',
  })
  write('languages.json', languages.map(item))
  const modules = keys === 0 ? [] : ['app', 'shop', 'account', 'help']
  write(
    'modules.json',
    modules.map((moduleName) => ({ itemId: moduleName, moduleName })),
  )
  for (const code of languages) {
    mkdirSync(join(folder, 'uilm', code), { recursive: true })
    for (const module of modules) {
      const count = keys / modules.length
      const entries = Array.from({ length: count }, (_, index) => [
        `${module.toUpperCase()}_MESSAGE_${String(index).padStart(5, '0')}`,
        `${code} message {{name}} number ${index}`,
      ])
      write(`uilm/${code}/${module}.json`, Object.fromEntries(entries))
    }
  }
  return folder
}

const storefront = join(root, '../../fixtures/projects/storefront')
const shop = 'P5c1e7a90d2f84b6e8a3f9d41'

/** @typedef {{ path: string, theme?: 'dark', language?: string, width?: number, offline?: boolean, ready?: string }} Shot */

/** @type {Record<string, Shot>} */
const shots = {
  overview: { path: `/?project=${shop}` },
  'overview-dark': { path: `/?project=${shop}`, theme: 'dark' },
  'overview-rtl': { path: `/?project=${shop}`, language: 'ar' },
  'overview-narrow': { path: `/?project=${shop}`, width: 360 },
  'overview-empty': { path: '/?project=empty' },
  'overview-error': { path: `/?project=${shop}`, offline: true },
  'not-found': { path: `/nowhere?project=${shop}` },
  translations: { path: `/translations?project=${shop}` },
  'translations-dark': { path: `/translations?project=${shop}`, theme: 'dark' },
  'translations-rtl': { path: `/translations?project=${shop}`, language: 'ar' },
  'translations-narrow': { path: `/translations?project=${shop}`, width: 360 },
  'translations-key': { path: `/translations/cart/CART_ITEMS_other?project=${shop}` },
  'translations-key-narrow': {
    path: `/translations/cart/CART_ITEMS_other?project=${shop}`,
    width: 360,
  },
  'translations-publish': { path: `/translations?publish=&project=${shop}` },
  'translations-20000': { path: '/translations?project=large', ready: '20000 keys' },
  webhooks: { path: `/webhooks?project=${shop}` },
  inbox: { path: `/inbox?project=${shop}` },
  requests: { path: `/requests?project=${shop}` },
}

const projectDir = [storefront, writeProject('empty', 0), writeProject('large', 20_000)]
const platform = await startPlatform({
  projectDir,
  wrap: (started) => withConsole(started, { allowThisMachine: true }),
})
const browser = await launchBrowser()
try {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const draft = { language: 'de-DE', module: 'common', key: 'NAV_ABOUT', value: 'Wer wir sind' }
  await fetch(`${platform.baseUrl}/_platform/projects/${shop}/drafts`, {
    method: 'PUT',
    body: JSON.stringify([draft]),
  })
  for (const [name, shot] of Object.entries(shots)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const { path, theme, language, width = 1280, offline, ready } = shot
    const context = await browser.newContext({
      locale: 'en-US',
      colorScheme: theme ?? 'light',
      reducedMotion: 'reduce',
      viewport: { width, height: 800 },
    })
    const page = await context.newPage()
    if (language) {
      await page.addInitScript(
        (code) => localStorage.setItem('servicekit-console-language', code),
        language,
      )
    }
    if (offline) await page.route('**/console/api/projects/**', (route) => route.abort())
    const started = performance.now()
    await page.goto(`${platform.baseUrl}/console${path}`)
    await page.waitForLoadState('networkidle')
    if (ready) await page.getByText(ready).waitFor({ timeout: 120_000 })
    await page.screenshot({ path: join(target, `${name}.png`) })
    console.log(`${name} ${Math.round(performance.now() - started)} ms`)
    await context.close()
  }
} finally {
  await browser.close()
  await platform.close()
  rmSync(temporary, { recursive: true, force: true })
}
console.log(`Written to ${target}`)
