/**
 * Takes the pictures of the README from the running sample shop and console: `npm run screenshots`.
 * They are written to `docs/images/`, in light and dark.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { browserArgs } from '../testing/src/browser.mjs'
import { findBrowser } from '../testing/src/find-browser.mjs'
import { buildPackages } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { root } from './lib/root.mjs'
import { runMain } from './lib/run.mjs'
import { app, importVite } from './start/app.mjs'
import { servicekit, startPlatform } from './start/command.mjs'

const images = join(root, 'docs/images')
const project = join(root, 'fixtures/projects/storefront')
/** A copy inside the application, whose packages it uses, for the typo of a picture. */
const copy = join(app, '.servicekit/screenshots')
const gateway = join(app, 'src/gateway')

async function takeAll() {
  if (!((await ensureInstalled()) && (await buildPackages()))) return 1
  const executablePath = findBrowser()
  if (!executablePath) throw new Error('Chromium is not installed')
  await rm(copy, { recursive: true, force: true })
  await mkdir(images, { recursive: true })
  for (const name of [
    'index.html',
    'servicekit.config.ts',
    'tsconfig.json',
    'vite.config.ts',
    'src',
  ])
    await cp(join(app, name), join(copy, name), {
      recursive: true,
      filter: (path) => path !== gateway,
    })
  const platform = await startPlatform(['--project', project, '--port', '0', '--memory'], copy)
  const browser = await chromium.launch({ executablePath, args: browserArgs })
  /** @type {{ close(): Promise<void>, url: string } | undefined} */
  let shop
  try {
    shop = await serveShop(platform)
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await joinPictures(browser, join(images, `console-and-page-${colorScheme}.png`), [
        await takeConsole(browser, colorScheme, platform),
        await takeShop(browser, shop.url),
      ])
    }
    await takeUnknownKey(browser, shop.url)
  } finally {
    await shop?.close()
    await browser.close()
    await platform.stop()
    await rm(copy, { recursive: true, force: true })
  }
  return 0
}

/** @param {{ baseUrl: string, projectKey: string }} platform */
async function serveShop({ baseUrl, projectKey }) {
  const env = {
    SERVICEKIT_URL: baseUrl,
    SERVICEKIT_PROJECT_KEY: projectKey,
    VITE_SERVICEKIT_URL: baseUrl,
    VITE_SERVICEKIT_PROJECT_KEY: projectKey,
  }
  await servicekit(['pull', '--no-frozen'], { cwd: copy, env })
  await servicekit(['codegen'], { cwd: copy, env })
  Object.assign(process.env, env)
  const { createServer } = await importVite()
  const server = await createServer({ root: copy, logLevel: 'warn' })
  await server.listen()
  return { close: () => server.close(), url: String(server.resolvedUrls?.local[0]) }
}

const viewport = { width: 720, height: 700 }
const sharp = { deviceScaleFactor: 2 }

/**
 * @param {import('playwright-core').Browser} browser
 * @param {'light' | 'dark'} colorScheme
 * @param {{ baseUrl: string, projectKey: string }} platform
 */
async function takeConsole(browser, colorScheme, { baseUrl, projectKey }) {
  const page = await browser.newPage({ viewport, ...sharp, locale: 'en-US', colorScheme })
  const key = `translations/catalog/PRODUCTS_HEADING?project=${encodeURIComponent(projectKey)}`
  await page.goto(`${baseUrl}/console/${key}`)
  await page.getByText('PRODUCTS_HEADING').first().waitFor()
  return settled(page)
}

/** @param {import('playwright-core').Browser} browser @param {string} url */
async function takeShop(browser, url) {
  const page = await browser.newPage({ viewport, ...sharp, locale: 'de-DE' })
  await page.goto(url)
  await page.locator('.products li').first().waitFor()
  return settled(page)
}

/** @param {import('playwright-core').Browser} browser @param {string} url */
async function takeUnknownKey(browser, url) {
  const source = join(copy, 'src/shop.tsx')
  const code = await readFile(source, 'utf8')
  await writeFile(source, code.replaceAll('PRODUCTS_HEADING', 'PRODUCTS_HEADNIG'))
  const wide = { width: 1180, height: 640 }
  const page = await browser.newPage({ viewport: wide, ...sharp, locale: 'en-US' })
  await page.goto(url)
  await page.locator('vite-error-overlay .file').waitFor()
  // The folder differs between machines.
  await page.evaluate(
    "document.querySelector('vite-error-overlay').shadowRoot.querySelector('.file').textContent = 'src/shop.tsx:10:3'",
  )
  await writeFile(join(images, 'unknown-key.png'), await settled(page))
}

/**
 * Takes a picture as soon as nothing is loaded and nothing moves.
 *
 * @param {import('playwright-core').Page} page
 */
async function settled(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))')
  const picture = await page.screenshot()
  await page.close()
  return picture
}

/**
 * Writes pictures side by side into one.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} path
 * @param {readonly Buffer[]} pictures
 */
async function joinPictures(browser, path, pictures) {
  const { width, height } = viewport
  const gap = 24
  const page = await browser.newPage({
    viewport: { width: (width + gap) * pictures.length - gap, height },
    ...sharp,
  })
  const sources = pictures.map((picture) => `data:image/png;base64,${picture.toString('base64')}`)
  await page.setContent(
    `<body style="margin:0;display:flex;gap:${gap}px">${sources
      .map((source) => `<img width="${width}" height="${height}" src="${source}">`)
      .join('')}`,
  )
  await page.screenshot({ path, omitBackground: true })
  await page.close()
}

await runMain(takeAll)
